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

    /// Whether this method means something here. Where there is nothing, all do, so that the answer is 404.
    func takes(_ method: HTTPMethod) -> Bool {
        switch (self, method) {
        case (.elsewhere, _), (_, .options): true
        case (.health, .get), (.metrics, .get), (.blobPart, .get), (.blob, .get): true
        case (.health, .head), (.metrics, .head), (.blobPart, .head), (.blob, .head), (.upload, .head): true
        case (.blob, .put), (.uploads, .post), (.upload, .patch), (.upload, .delete): true
        default: false
        }
    }

    /// The value of `Allow`.
    package var allow: String {
        if case .elsewhere = self { return "" }
        return HTTPMethod.allCases.filter(takes).map(\.rawValue).joined(separator: ", ")
    }

    /// Whether it speaks tus, whose answers carry its version.
    package var isTus: Bool {
        switch self {
        case .uploads, .upload: true
        default: false
        }
    }
}
