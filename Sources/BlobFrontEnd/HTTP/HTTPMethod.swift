/// The methods that are known (RFC 9110 section 9, RFC 5789); another one is 501.
package enum HTTPMethod: String, Sendable, CaseIterable {
    case get = "GET"
    case head = "HEAD"
    case put = "PUT"
    case post = "POST"
    case patch = "PATCH"
    case delete = "DELETE"
    case options = "OPTIONS"
    case connect = "CONNECT"
    case trace = "TRACE"

    /// Whether content has a meaning with it. Content where it has none has been used to smuggle requests (RFC 9110 section
    /// 9.3.1), and is refused.
    var takesContent: Bool {
        switch self {
        case .put, .post, .patch: true
        case .get, .head, .delete, .options, .connect, .trace: false
        }
    }
}
