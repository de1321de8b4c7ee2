extension Transcript.Action {
    /// The connection whose next line this step expects; nil for all other steps.
    var expects: String? {
        switch self {
        case .expect(let connection, _), .expectAround(let connection, _): connection
        default: nil
        }
    }

    var pattern: TranscriptPattern? {
        switch self {
        case .expect(_, let pattern), .expectAround(_, let pattern): pattern
        default: nil
        }
    }

    var isAround: Bool {
        if case .expectAround = self { true } else { false }
    }

    /// The pattern as written.
    var text: String { pattern?.text ?? "" }
}
