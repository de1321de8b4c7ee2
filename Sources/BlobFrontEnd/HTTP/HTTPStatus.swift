/// The statuses the blob port answers with (RFC 9110 section 15; 429 and 431 are RFC 6585, 507 is RFC 4918, 460 is tus 1.0).
package enum HTTPStatus: Int, Sendable, CaseIterable {
    case continues = 100
    case ok = 200
    case created = 201
    case noContent = 204
    case partialContent = 206
    case notModified = 304
    case badRequest = 400
    case unauthorized = 401
    case forbidden = 403
    case notFound = 404
    case methodNotAllowed = 405
    case requestTimeout = 408
    case conflict = 409
    case gone = 410
    case preconditionFailed = 412
    case contentTooLarge = 413
    case targetTooLong = 414
    case unsupportedType = 415
    case rangeNotSatisfiable = 416
    case expectationFailed = 417
    case tooManyRequests = 429
    case headTooLarge = 431
    case checksumMismatch = 460
    case internalError = 500
    case notImplemented = 501
    case unavailable = 503
    case versionNotSupported = 505
    case insufficientStorage = 507

    package var reason: StaticString {
        switch self {
        case .continues: "Continue"
        case .ok: "OK"
        case .created: "Created"
        case .noContent: "No Content"
        case .partialContent: "Partial Content"
        case .notModified: "Not Modified"
        case .badRequest: "Bad Request"
        case .unauthorized: "Unauthorized"
        case .forbidden: "Forbidden"
        case .notFound: "Not Found"
        case .methodNotAllowed: "Method Not Allowed"
        case .requestTimeout: "Request Timeout"
        case .conflict: "Conflict"
        case .gone: "Gone"
        case .preconditionFailed: "Precondition Failed"
        case .contentTooLarge: "Content Too Large"
        case .targetTooLong: "URI Too Long"
        case .unsupportedType: "Unsupported Media Type"
        case .rangeNotSatisfiable: "Range Not Satisfiable"
        case .expectationFailed: "Expectation Failed"
        case .tooManyRequests: "Too Many Requests"
        case .headTooLarge: "Request Header Fields Too Large"
        case .checksumMismatch: "Checksum Mismatch"
        case .internalError: "Internal Server Error"
        case .notImplemented: "Not Implemented"
        case .unavailable: "Service Unavailable"
        case .versionNotSupported: "HTTP Version Not Supported"
        case .insufficientStorage: "Insufficient Storage"
        }
    }
}
