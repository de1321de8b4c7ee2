/// The statuses the blob port answers with (RFC 9110 section 15).
package enum HTTPStatus: Int, Sendable, CaseIterable {
    case ok = 200
    case partialContent = 206
    case notModified = 304
    case badRequest = 400
    case unauthorized = 401
    case notFound = 404
    case methodNotAllowed = 405
    case requestTimeout = 408
    case preconditionFailed = 412
    case targetTooLong = 414
    case rangeNotSatisfiable = 416
    case expectationFailed = 417
    case headTooLarge = 431
    case internalError = 500
    case notImplemented = 501
    case unavailable = 503
    case versionNotSupported = 505

    package var reason: StaticString {
        switch self {
        case .ok: "OK"
        case .partialContent: "Partial Content"
        case .notModified: "Not Modified"
        case .badRequest: "Bad Request"
        case .unauthorized: "Unauthorized"
        case .notFound: "Not Found"
        case .methodNotAllowed: "Method Not Allowed"
        case .requestTimeout: "Request Timeout"
        case .preconditionFailed: "Precondition Failed"
        case .targetTooLong: "URI Too Long"
        case .rangeNotSatisfiable: "Range Not Satisfiable"
        case .expectationFailed: "Expectation Failed"
        case .headTooLarge: "Request Header Fields Too Large"
        case .internalError: "Internal Server Error"
        case .notImplemented: "Not Implemented"
        case .unavailable: "Service Unavailable"
        case .versionNotSupported: "HTTP Version Not Supported"
        }
    }
}
