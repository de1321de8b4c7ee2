/// What the conditions and the range of a request come to (RFC 9110 sections 13 and 14), for a blob that never changes:
/// If-Match, If-None-Match, Range with If-Range, in the order of section 13.2.2. Dates are passed over, as a server without
/// dates must.
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
        let fields = request.fields
        if let wanted = fields[.ifMatch], !EntityTags(wanted).contain(tag, weakly: false) {
            self = .preconditionFailed
        } else if let known = fields[.ifNoneMatch], EntityTags(known).contain(tag, weakly: true) {
            self = .notModified
        } else if let range = fields[.range], !request.isHead, fields[.ifRange] == nil || fields[.ifRange] == tag {
            self = Self.range(range, size)
        } else {
            self = .whole
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
