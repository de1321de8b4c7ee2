/// How long a request's content is (RFC 9112 section 6).
package enum HTTPFraming: Equatable, Sendable {
    case none
    /// `Content-Length`, not 0.
    case length(UInt64)
    case chunked
}
