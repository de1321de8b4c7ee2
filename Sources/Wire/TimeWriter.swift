import Bytes
import ChatModel

/// Writes times in the form of RFC 3339, and remembers the last one: lines of one turn mostly have the same.
package struct TimeWriter: Sendable {
    private var time: Timestamp?
    /// The 24 bytes of `time`.
    private var text: (UInt64, UInt64, UInt64) = (0, 0, 0)

    package init() {}

    /// Appends `time` as `ValueRenderer.append(time:into:)` does.
    package mutating func append(_ time: Timestamp, into out: inout ByteBuffer) {
        if time != self.time {
            withUnsafeMutableBytes(of: &text) { time.render(into: $0) }
            self.time = time
        }
        out.reserve(Timestamp.width).storeBytes(of: text, as: (UInt64, UInt64, UInt64).self)
        out.commit(Timestamp.width)
    }
}
