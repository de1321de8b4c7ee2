/// The value of `If-Match` or `If-None-Match` (RFC 9110 section 13.1): `*`, or a list of entity tags. A tag may hold commas.
struct EntityTags {
    private let value: [UInt8]

    init(_ value: String) { self.value = Array(value.utf8) }

    /// Whether this strong tag, in its quotes, is among them. What is no list of tags has none in it.
    func contain(_ tag: String, weakly: Bool) -> Bool {
        if value == [0x2A] { return true }
        let wanted = Array(tag.utf8)
        var (at, isFound) = (0, false)
        while at < value.count {
            switch value[at] {
            case 0x20, 0x09, 0x2C: at += 1
            default:
                guard let (opaque, isWeak) = next(&at) else { return false }
                if opaque.elementsEqual(wanted), weakly || !isWeak { isFound = true }
                guard at == value.count || value[at] == 0x2C || value[at] == 0x20 || value[at] == 0x09 else {
                    return false
                }
            }
        }
        return isFound
    }

    /// `[ "W/" ] DQUOTE *etagc DQUOTE`
    private func next(_ at: inout Int) -> (ArraySlice<UInt8>, isWeak: Bool)? {
        let isWeak = value[at...].starts(with: "W/".utf8)
        if isWeak { at += 2 }
        guard at < value.count, value[at] == 0x22 else { return nil }
        let start = at
        guard let end = value[(start + 1)...].firstIndex(where: { !Self.isTagByte($0) }), value[end] == 0x22 else {
            return nil
        }
        at = end + 1
        return (value[start..<at], isWeak)
    }

    private static func isTagByte(_ byte: UInt8) -> Bool { byte == 0x21 || byte >= 0x23 && byte != 0x7F }
}
