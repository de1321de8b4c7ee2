/// Finds the end of a request's head as its bytes come, and refuses early what can be no head (RFC 9112 sections 2 and
/// 5): every line ends in CR LF, no other CR, LF or NUL stands in it, and it has its bounds.
package struct HTTPHeadScanner: Sendable {
    package enum Outcome: Equatable, Sendable {
        case more
        /// The head is whole; so many bytes, of which the first are an empty line to be ignored when `from` is not 0.
        case whole(from: Int, end: Int)
        case refused(HTTPStatus)
    }

    /// Bytes of a request target, of a whole head, and its field lines.
    package static let targetLimit = 4096
    package static let headLimit = 16384
    package static let fieldLimit = 100
    /// Method, blanks and version beside the target.
    private static let lineLimit = targetLimit + 64

    private var at = 0
    private var lineStart = 0
    private var headStart = 0
    /// Lines that have ended, the request line among them.
    private var lines = 0

    package init() {}

    /// Whether anything of a head has come.
    package var hasBegun: Bool { at > 0 }

    /// Goes on behind what was seen before; `bytes` are all bytes of the head so far. O(new bytes).
    package mutating func scan(_ bytes: UnsafeRawBufferPointer) -> Outcome {
        while at < bytes.count {
            if at - headStart >= Self.headLimit { return .refused(lines == 0 ? .targetTooLong : .headTooLarge) }
            if lines == 0, at - lineStart > Self.lineLimit { return .refused(overlong(bytes)) }
            switch bytes[at] {
            case 0x00, 0x0A: return .refused(.badRequest)
            case 0x0D:
                guard at + 1 < bytes.count else { return .more }
                guard bytes[at + 1] == 0x0A else { return .refused(.badRequest) }
                let isEmpty = at == lineStart
                at += 2
                if isEmpty, lines > 0 { return .whole(from: headStart, end: at) }
                if isEmpty {
                    // One empty line in front of a request is ignored (RFC 9112 section 2.2).
                    if headStart > 0 { return .refused(.badRequest) }
                    headStart = at
                } else {
                    lines += 1
                    if lines > Self.fieldLimit + 1 { return .refused(.headTooLarge) }
                }
                lineStart = at
            default: at += 1
            }
        }
        return .more
    }

    /// A first line without end: a long target, or no request at all.
    private func overlong(_ bytes: UnsafeRawBufferPointer) -> HTTPStatus {
        let method = bytes[lineStart...].prefix { HTTPSyntax.isTokenByte($0) }
        let hasTarget = !method.isEmpty && method.endIndex < bytes.count && bytes[method.endIndex] == 0x20
        return hasTarget ? .targetTooLong : .badRequest
    }
}
