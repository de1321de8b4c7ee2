/// What the conditions and the range of a request come to (RFC 9110 sections 13 and 14), for a blob that never changes.
package enum HTTPSelection: Equatable, Sendable {
    case whole
    /// Bytes from `first` up to and with `last`.
    case part(first: UInt64, last: UInt64)
    case notModified
    case preconditionFailed
    case notSatisfiable

    /// - Parameters:
    ///   - tag: the blob's strong entity tag, in its quotes.
    ///   - size: its bytes.
    package init(_ request: HTTPRequest, tag: String, size: UInt64) {
        if let wanted = request.ifMatch, !Self.matches(wanted, tag, weakly: false) {
            self = .preconditionFailed
        } else if let known = request.ifNoneMatch, Self.matches(known, tag, weakly: true) {
            self = .notModified
        } else if let range = request.range, !request.isHead, request.ifRange == nil || request.ifRange == tag {
            self = Self.range(range, size)
        } else {
            self = .whole
        }
    }

    /// `*`, or a list of tags with this one in it.
    private static func matches(_ list: String, _ tag: String, weakly: Bool) -> Bool {
        if list == "*" { return true }
        return list.split(separator: "," as Character).contains { element in
            let text = element.drop { $0 == " " || $0 == "\t" }
            let trimmed = String(text.reversed().drop { $0 == " " || $0 == "\t" }.reversed())
            return trimmed == tag || weakly && trimmed == "W/" + tag
        }
    }

    /// One range of bytes; several, another unit and what is no range are passed over.
    private static func range(_ text: String, _ size: UInt64) -> HTTPSelection {
        guard text.lowercased().hasPrefix("bytes=") else { return .whole }
        let ends = text.dropFirst(6).split(separator: "-" as Character, omittingEmptySubsequences: false)
        guard ends.count == 2 else { return .whole }
        let (from, to) = (ends[0].utf8, ends[1].utf8)
        if from.isEmpty {
            guard let count = HTTPSyntax.number(to) else { return .whole }
            if count == 0 || size == 0 { return .notSatisfiable }
            return .part(first: size - min(count, size), last: size - 1)
        }
        guard let first = HTTPSyntax.number(from) else { return .whole }
        var last = UInt64.max
        if !to.isEmpty {
            guard let number = HTTPSyntax.number(to), number >= first else { return .whole }
            last = number
        }
        guard first < size else { return .notSatisfiable }
        return .part(first: first, last: min(last, size - 1))
    }
}
