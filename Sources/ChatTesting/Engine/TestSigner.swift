import ChatModel
import TLS

/// Signs links as the daemon does.
package enum TestSigner {
    @Sendable package static func sign(_ text: [UInt8], key: [UInt8]) -> LinkSignature {
        let words = text.withUnsafeBytes { KeyedHash.whole($0, key: key) }.words
        return LinkSignature(TokenHash(a: words.0, b: words.1, c: words.2, d: words.3))
    }
}
