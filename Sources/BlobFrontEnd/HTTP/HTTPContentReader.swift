/// Takes a request's content out of the bytes behind its head, however they are cut (RFC 9112 sections 6 and 7).
struct HTTPContentReader {
    enum Step: Equatable {
        /// So many bytes at the front are content.
        case content(Int)
        /// Everything that came is used up.
        case more
        case end
        case refused(HTTPStatus)
    }

    private enum Framing {
        case length(UInt64)
        case chunked(ChunkScanner)
    }

    private var framing: Framing

    /// Nil when there is no content.
    init?(_ framing: HTTPFraming) {
        switch framing {
        case .none: return nil
        case .length(let count): self.framing = .length(count)
        case .chunked: self.framing = .chunked(ChunkScanner())
        }
    }

    /// Bytes that are still to come; nil when that is not known.
    var left: UInt64? {
        if case .length(let count) = framing { count } else { nil }
    }

    /// Looks at the front of `bytes` from `at` on, and moves `at` behind what is used up, content not counted among it.
    mutating func next(_ bytes: UnsafeRawBufferPointer, _ at: inout Int) -> Step {
        switch framing {
        case .length(0): return .end
        case .length(let count):
            if at == bytes.count { return .more }
            return .content(Int(clamping: min(count, UInt64(bytes.count - at))))
        case .chunked(var chunks):
            let step = chunks.next(bytes, &at)
            framing = .chunked(chunks)
            return step
        }
    }

    /// So many bytes of content were taken.
    mutating func take(_ count: Int) {
        switch framing {
        case .length(let left): framing = .length(left - UInt64(count))
        case .chunked(var chunks):
            chunks.take(count)
            framing = .chunked(chunks)
        }
    }
}
