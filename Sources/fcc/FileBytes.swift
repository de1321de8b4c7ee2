import Glibc
import SystemIO

/// Reading small files whole.
enum FileBytes {
    /// At most the first `limit` bytes of the file.
    static func read(_ path: String, limit: Int) throws(Errno) -> [UInt8] {
        let file = Descriptor(owning: try retrying("open") { open(path, O_RDONLY | O_CLOEXEC) })
        var bytes: [UInt8] = []
        while bytes.count < limit {
            let more = try chunk(file.number, atMost: min(limit - bytes.count, 65_536))
            if more.isEmpty { break }
            bytes += more
        }
        return bytes
    }

    /// What one read(2) gives; empty at the end.
    static func chunk(_ descriptor: Int32, atMost count: Int) throws(Errno) -> [UInt8] {
        var room = [UInt8](repeating: 0, count: count)
        let got = try retrying("read") {
            room.withUnsafeMutableBytes { Glibc.read(descriptor, $0.baseAddress, $0.count) }
        }
        room.removeLast(count - got)
        return room
    }

    /// One write(2): how many of `bytes` were taken.
    static func write(_ bytes: ArraySlice<UInt8>, to descriptor: Int32) throws(Errno) -> Int {
        try retrying("write") { bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) } }
    }
}
