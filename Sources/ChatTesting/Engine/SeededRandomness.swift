import ChatModel
import Engine

/// The same ids in every run; a token's hash is its number. Tokens are counted from the upper half of the seed on, so that
/// a second run on the same data makes others.
package final class SeededRandomness: Randomness {
    private var random: SeededRandom
    private var tokens: UInt64

    package init(seed: UInt64) { (random, tokens) = (SeededRandom(seed: seed), seed >> 32) }

    package func word() -> UInt64 { random.next() }

    package func bytes(_ count: Int) -> [UInt8] { (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) } }

    package func token() -> (text: String, hash: TokenHash) {
        tokens += 1
        return ("token\(tokens)", Self.hash(of: "token\(tokens)"))
    }

    package static func hash(of token: String) -> TokenHash {
        TokenHash(a: UInt64(token.dropFirst(5)) ?? 0, b: 0, c: 0, d: 0)
    }
}
