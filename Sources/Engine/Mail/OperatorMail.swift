import ChatModel

/// A command of the operator on its way through whoever hosts the engine.
package struct OperatorJob: Sendable {
    /// Goes back with the answer; 0 when nobody waits for one.
    package let id: UInt64
    /// The user behind the control socket.
    package let uid: UInt32
    package let request: AdminRequest
}

/// What waits for one connection, as its loop knows it.
package struct ConnectionLoad: Sendable {
    package let key: ConnectionKey
    /// Bytes of replies that have not left.
    package let replies: Int
    /// Bytes of events that its subscriptions have not been sent.
    package let behind: Int
    package init(key: ConnectionKey, replies: Int, behind: Int) {
        (self.key, self.replies, self.behind) = (key, replies, behind)
    }
}

/// What the engine says of itself to the operator.
package struct EngineVitals: Sendable {
    package let logID: String
    /// Records decided, and those on disk.
    package let appended: UInt64
    package let durable: UInt64
    package let readOnlyReason: String?
    package let isMemoryFull: Bool
    package let connections: Int
    package let accounts: Int
    package let guests: Int
    package let conversations: Int
}
