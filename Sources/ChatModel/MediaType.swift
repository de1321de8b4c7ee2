/// The kind of a file of which nobody has said it: by its first bytes, then by its name's ending.
package enum MediaType {
    /// What nothing is known of.
    package static let unknown = "application/octet-stream"
    /// Bytes of its beginning that are looked at.
    package static let signatureSize = RasterImage.signatureSize

    /// Endings of names. Pictures whose first bytes are checked are not among them: the bytes tell.
    private static let endings: [String: String] = [
        "txt": "text/plain", "log": "text/plain", "md": "text/markdown", "csv": "text/csv", "html": "text/html",
        "htm": "text/html", "css": "text/css", "js": "text/javascript", "xml": "application/xml",
        "json": "application/json", "pdf": "application/pdf", "svg": "image/svg+xml", "zip": "application/zip",
        "gz": "application/gzip", "tar": "application/x-tar", "mp3": "audio/mpeg", "ogg": "audio/ogg",
        "oga": "audio/ogg", "opus": "audio/ogg", "wav": "audio/wav", "flac": "audio/flac", "m4a": "audio/mp4",
        "mp4": "video/mp4", "m4v": "video/mp4", "webm": "video/webm", "mov": "video/quicktime",
    ]

    /// - Parameter beginning: the first `signatureSize` bytes, or all where there are fewer.
    package static func guess(beginning: [UInt8], name: String) -> String {
        if let picture = RasterImage.allCases.first(where: { $0.begins(beginning) }) { return picture.rawValue }
        guard let dot = name.utf8.lastIndex(of: 0x2E) else { return unknown }
        return endings[name[name.utf8.index(after: dot)...].lowercased()] ?? unknown
    }
}
