/// The few words of one kind of server: how to get ready, how to publish, how to recognise what comes back.
///
/// Conforming types are never made; they hold functions. `scan` is called for every read and specialised for each of
/// them: it allocates nothing and makes no text.
protocol Adapter {
    static var traits: ServerTraits { get }

    /// What a connection says as soon as the transport is up.
    static func opening(_ seat: Seat) -> String

    /// What it says when it is welcome; empty when `opening` says it all.
    static func entering(_ seat: Seat) -> String

    /// What stands before and behind the text of each message that `seat` sends.
    static func frame(_ seat: Seat, textCount: Int) -> (before: String, behind: String)

    /// The answer to a ping that came with `word`.
    static func pong(_ word: UnsafeRawBufferPointer) -> [UInt8]

    /// Gives everything whole in `bytes` to `body`, in order.
    /// - Parameter textCount: bytes of each message's text in this run.
    /// - Returns: how many bytes that was; the rest comes again with more behind it.
    static func scan(_ bytes: UnsafeRawBufferPointer, textCount: Int, _ body: (Notice) -> Void) -> Int
}
