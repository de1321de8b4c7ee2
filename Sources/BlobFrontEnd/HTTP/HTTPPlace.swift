/// Where a request's target leads.
package enum HTTPPlace: Equatable, Sendable {
    case health
    case metrics
    /// Below `/blobs/`: what stands there in place of an id, or of a new file's name. Escapes are as they came.
    case blob(String)
    /// Something below a blob's id, whose last part is of no account.
    case blobPart(String)
    /// `/tus/`, where uploads are made.
    case uploads
    /// Below `/tus/`; what stands there in place of an id.
    case upload(String)
    /// `*`: the server as a whole.
    case server
    case elsewhere

    /// The methods that it takes, for `Allow`; nil where there is nothing.
    var allowed: [HTTPMethod]? {
        switch self {
        case .health, .metrics, .blobPart: [.get, .head, .options]
        case .blob: [.get, .head, .put, .options]
        case .uploads: [.post, .options]
        case .upload: [.head, .patch, .delete, .options]
        case .server: [.options]
        case .elsewhere: nil
        }
    }

    /// The value of `Allow`.
    package var allow: String { (allowed ?? []).map(\.rawValue).joined(separator: ", ") }

    /// Whether it speaks tus, whose answers carry its version.
    package var isTus: Bool {
        switch self {
        case .uploads, .upload: true
        default: false
        }
    }
}
