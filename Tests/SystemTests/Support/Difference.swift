/// Where two lists part, in words; nil when they are equal. In expectations on long lists, so that a failure says where.
func difference<Element: Equatable>(_ found: [Element], _ expected: [Element]) -> String? {
    guard found != expected else { return nil }
    let at = zip(found, expected).prefix { $0 == $1 }.map { _ in 1 }.count
    func item(_ list: [Element]) -> String { at < list.count ? "\(list[at])".prefix(100).description : "nothing" }
    return "at \(at): \(item(found)) in place of \(item(expected)); \(found.count) found, \(expected.count) expected"
}
