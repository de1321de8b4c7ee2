import Bytes
import ChatModel
import SystemIO
import Wire

/// `audit.log`: what operators did, one line each: `time uid=0 SET limits.text 10`. Mode 0600.
///
/// Opened for each line, so that it may be moved away at any time. Confined to the engine's thread.
package final class AuditLog {
    private let path: String

    package init(path: String) { self.path = path }

    /// Appends a line. The words stay on it: controls are escaped.
    /// - Throws: `Errno`, as on a full disk.
    package func note(_ words: String, uid: UInt32, now: Timestamp) throws(Errno) {
        var line = ByteBuffer()
        ValueRenderer.append(time: now, into: &line)
        line.append(" uid=")
        line.append(decimal: UInt64(uid))
        line.append(byte: 0x20)
        var copy = words
        copy.withUTF8 { JSONString.escape(UnsafeRawBufferPointer($0), quotes: false, into: &line) }
        line.append(byte: 0x0A)
        let file = try open()
        try file.write(line.readable, at: try file.size())
    }

    private func open() throws(Errno) -> File {
        do throws(Errno) { return try File(path, .update) } catch {
            guard error.isMissing else { throw error }
            return try File(path, .create)
        }
    }
}
