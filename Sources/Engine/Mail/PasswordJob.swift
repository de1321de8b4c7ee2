import ChatCore
import ChatModel

/// Slow, pure work for a worker: a hash of a password.
package struct PasswordJob: Sendable {
    /// Comes back with the result.
    package let id: UInt64
    /// Jobs of one source take turns with those of others.
    package let source: String
    package let password: Secret
    package let n: UInt32
    package let r: UInt32
    package let p: UInt32
    package let salt: [UInt8]
    /// When the hash is only compared: what it should be.
    package let expected: [UInt8]?
}

package struct PasswordResult: Sendable {
    package enum Outcome: Sendable {
        case hash([UInt8])
        case matches(Bool)
        /// Too much waits already.
        case busy
        case failed(String)
    }
    package let id: UInt64
    package let outcome: Outcome
    package init(id: UInt64, outcome: Outcome) { (self.id, self.outcome) = (id, outcome) }
}

/// How hard new passwords are hashed (RFC 7914).
package struct PasswordCost: Sendable {
    package let n: UInt32
    package let p: UInt32
    package init(n: UInt32, p: UInt32) { (self.n, self.p) = (n, p) }
}
