import Testing

/// `#expect` for the result of a mutating call, which its macro cannot take.
func expect(_ value: Bool, _ wanted: Bool, at place: SourceLocation = #_sourceLocation) {
    #expect(value == wanted, sourceLocation: place)
}
