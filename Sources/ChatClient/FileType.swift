/// The media type of a file, for PUT-BLOB: by its first bytes where they tell, else by the end of its name.
package enum FileType {
    /// What nothing is known about.
    package static let unknown = "application/octet-stream"

    /// - Parameter first: the beginning of the file; 16 bytes are enough.
    package static func of(name: String, first: [UInt8]) -> String {
        if let type = bySignature(first) { return type }
        let end = name.split(separator: "/").last.map(String.init) ?? name
        guard let dot = end.lastIndex(of: "."), let type = byEnding[end[end.index(after: dot)...].lowercased()] else {
            return unknown
        }
        // A picture that does not begin as one would be refused.
        return checked.contains(type) ? unknown : type
    }

    private static let checked: Set<String> = ["image/png", "image/jpeg", "image/gif", "image/webp"]

    private static let byEnding = [
        "png": "image/png", "jpg": "image/jpeg", "jpeg": "image/jpeg", "gif": "image/gif", "webp": "image/webp",
        "pdf": "application/pdf", "zip": "application/zip", "gz": "application/gzip", "json": "application/json",
        "txt": "text/plain", "md": "text/plain", "log": "text/plain", "csv": "text/csv", "mp3": "audio/mpeg",
        "ogg": "audio/ogg", "opus": "audio/ogg", "flac": "audio/flac", "wav": "audio/wav", "mp4": "video/mp4",
        "m4a": "audio/mp4", "webm": "video/webm", "mov": "video/quicktime", "avif": "image/avif", "heic": "image/heic",
    ]

    private static let signatures: [(bytes: [UInt8], type: String)] = [
        ([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A], "image/png"),
        ([0xFF, 0xD8, 0xFF], "image/jpeg"),
        (Array("GIF87a".utf8), "image/gif"),
        (Array("GIF89a".utf8), "image/gif"),
        (Array("%PDF-".utf8), "application/pdf"),
    ]

    private static func bySignature(_ first: [UInt8]) -> String? {
        if let found = signatures.first(where: { first.starts(with: $0.bytes) }) { return found.type }
        let isWebP = first.count >= 12 && first.starts(with: "RIFF".utf8) && first[8..<12].elementsEqual("WEBP".utf8)
        return isWebP ? "image/webp" : nil
    }
}
