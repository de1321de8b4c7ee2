import ChatModel

/// Where the engine's fresh random ids come from; the system's source in the daemon, a seeded one in tests.
package protocol Randomness: AnyObject {
    func word() -> UInt64
    func bytes(_ count: Int) -> [UInt8]
    /// A new token and its SHA-256.
    func token() -> (text: String, hash: TokenHash)
}
