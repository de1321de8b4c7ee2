/// The kinds of pictures that are told by their first bytes.
package enum RasterImage: String, Sendable, CaseIterable {
    case png = "image/png"
    case jpeg = "image/jpeg"
    case gif = "image/gif"
    case webp = "image/webp"

    /// Bytes that are needed to tell.
    package static let signatureSize = 12

    package init?(type: String) { self.init(rawValue: type) }

    /// Whether a file that begins with `bytes` is of this kind (PNG 5.2, JPEG B.1.1.3, GIF89a 17, RFC 9649 2.4).
    package func begins(_ bytes: [UInt8]) -> Bool {
        switch self {
        case .png: bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
        case .jpeg: bytes.starts(with: [0xFF, 0xD8, 0xFF])
        case .gif: bytes.starts(with: "GIF87a".utf8) || bytes.starts(with: "GIF89a".utf8)
        case .webp: bytes.starts(with: "RIFF".utf8) && bytes.dropFirst(8).starts(with: "WEBP".utf8)
        }
    }
}
