import SystemIO

/// A port that a script tells, known only when its server runs.
final class PortBox: Sendable {
    private let port = SystemIO.Lock(UInt16(0))

    var value: UInt16 {
        get { port.withLock { $0 } }
        set { port.withLock { $0 = newValue } }
    }
}
