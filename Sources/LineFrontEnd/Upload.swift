import ChatModel
import Wire

/// A PUT-BLOB under way on a connection: its bytes stand where requests would.
struct Upload {
    enum Phase {
        /// The engine is asked whether the bytes may come; they wait in the socket.
        case asked
        case receiving
        /// All bytes are with the writer; the answer comes from the engine.
        case storing
        /// The request was refused; its bytes are read and thrown away.
        case dropping
    }

    /// Bytes of an upload that may wait for the disk.
    static let waitingLimit = 262_144
    /// Seconds without a byte after which an upload is given up.
    static let stallSeconds: UInt64 = 120

    let tag: Tag
    /// Nil when there is nothing but bytes to drop.
    let request: PutBlob?
    var phase: Phase
    /// Bytes that are still to come.
    var left: UInt64
    /// Bytes that the writer has not taken.
    var waiting = 0

    /// Whether input is wanted now.
    var takesBytes: Bool {
        switch phase {
        case .receiving: waiting < Self.waitingLimit
        case .dropping: true
        case .asked, .storing: false
        }
    }
}
