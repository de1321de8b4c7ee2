import ChatModel
import Engine
import SystemIO
import TLS

/// Random ids from the kernel.
final class SystemRandomness: Randomness {
    func word() -> UInt64 {
        var word: UInt64 = 0
        withUnsafeMutableBytes(of: &word) { SystemRandom.fill($0) }
        return word
    }

    func bytes(_ count: Int) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        bytes.withUnsafeMutableBytes { SystemRandom.fill($0) }
        return bytes
    }

    /// 192 random bits in 32 letters, digits, `-` and `_`.
    func token() -> (text: String, hash: TokenHash) {
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
        let text = String(decoding: bytes(32).map { alphabet[Int($0 & 63)] }, as: UTF8.self)
        return (text, TokenHash(SHA256Digest.of(string: text)))
    }
}

extension TokenHash {
    init(_ digest: SHA256Digest) {
        self.init(a: digest.words.0, b: digest.words.1, c: digest.words.2, d: digest.words.3)
    }
}
