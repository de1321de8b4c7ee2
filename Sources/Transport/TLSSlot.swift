import SystemIO
import TLS

/// The TLS context in use, for all loops; may be replaced at any time, which concerns new connections only.
package final class TLSSlot: Sendable {
    private let context: Lock<TLSContext?>

    /// - Parameter context: nil when no listener uses TLS; TLS connections are then closed at once.
    package init(_ context: TLSContext?) { self.context = Lock(context) }

    package var current: TLSContext? { context.withLock { $0 } }

    package func replace(with context: TLSContext) { self.context.withLock { $0 = context } }
}
