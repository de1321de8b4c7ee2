/// Reads a connection's requests, head by head and content by content, as their bytes come. Knows no connection: what is
/// done with a request is its caller's.
package struct HTTPReader {
    package enum Step: Equatable {
        /// Nothing more can be said of what has come.
        case more
        /// A head is whole; content may follow (`HTTPRequest.framing`).
        case request(HTTPRequest)
        /// The head is refused; no content is taken. After one that `closes` nothing more is read.
        case refused(HTTPRequest.Refused)
        /// Content at these offsets; the caller says by `take` how much of it he has used.
        case content(Range<Int>)
        /// All content has come.
        case contentEnd
        /// What stands for content is none: nothing more is read.
        case broken(HTTPStatus)
    }

    private var scanner = HTTPHeadScanner()
    private var content: HTTPContentReader?

    package init() {}

    /// Whether content of the last request is still to come.
    package var isInContent: Bool { content != nil }
    /// Bytes of that; nil when their number is not known.
    package var contentLeft: UInt64? { content?.left }
    /// Whether anything of a head has come.
    package var hasBegun: Bool { scanner.hasBegun }

    /// Looks at `bytes`, which are all that was not used up, from `at` on; moves `at` behind what is. O(new bytes).
    package mutating func next(_ bytes: UnsafeRawBufferPointer, _ at: inout Int) -> Step {
        if content != nil { return inContent(bytes, &at) }
        let rest = UnsafeRawBufferPointer(rebasing: bytes[at...])
        switch scanner.scan(rest) {
        case .more: return .more
        case .refused(let status): return .refused(.init(status))
        case .whole(let start, let end):
            scanner = HTTPHeadScanner()
            at += end
            do throws(HTTPRequest.Refused) {
                let request = try HTTPRequest(head: UnsafeRawBufferPointer(rebasing: rest[start..<end]))
                content = HTTPContentReader(request.framing)
                return .request(request)
            } catch { return .refused(error) }
        }
    }

    private mutating func inContent(_ bytes: UnsafeRawBufferPointer, _ at: inout Int) -> Step {
        switch content?.next(bytes, &at) {
        case .content(let count): return .content(at..<at + count)
        case .refused(let status): return .broken(status)
        case .end, nil:
            content = nil
            return .contentEnd
        case .more: return .more
        }
    }

    /// So many bytes of the content shown were used; the next look begins behind them.
    package mutating func take(_ count: Int) { content?.take(count) }
}
