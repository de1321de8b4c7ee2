import SystemIO

/// A file read from front to back through one piece of memory, so that a long file costs no more than a short one.
struct FileWindow: ~Copyable {
    private let file: File
    private let memory: UnsafeMutableRawBufferPointer
    /// What `memory` holds: bytes `start ..< start + count` of the file.
    private var (start, count): (UInt64, Int) = (0, 0)
    /// Bytes in the file when it was opened.
    let size: UInt64

    /// - Parameter pieceSize: bytes read at a time, above what a caller ever asks for.
    init(_ name: String, in directory: Directory, pieceSize: Int = 1 << 20) throws(Errno) {
        let opened = try directory.open(name, .read)
        size = try opened.size()
        file = opened
        memory = .allocate(byteCount: pieceSize, alignment: 4096)
    }

    deinit { memory.deallocate() }

    /// The bytes from `offset` on: at least `wanted` of them, unless the file ends. Valid until the next call.
    mutating func bytes(at offset: UInt64, atLeast wanted: Int) throws(Errno) -> UnsafeRawBufferPointer {
        precondition(wanted <= memory.count, "the window is smaller than what is asked for")
        let end = start + UInt64(count)
        let held = offset >= start && offset <= end ? end - offset : 0
        if held < UInt64(wanted), offset < start || offset > end || end < size {
            count = try file.read(into: memory, at: offset)
            start = offset
        }
        guard offset >= start, offset - start < UInt64(count) else {
            return UnsafeRawBufferPointer(start: nil, count: 0)
        }
        return UnsafeRawBufferPointer(rebasing: memory[Int(offset - start)..<count])
    }

    /// Offset behind the last byte from `offset` on that is not zero; `offset` when all are. O(file).
    mutating func endOfNonZero(from offset: UInt64) throws(Errno) -> UInt64 {
        var (at, last) = (offset, offset)
        while true {
            let piece = try bytes(at: at, atLeast: 1)
            if piece.isEmpty { return last }
            if let end = Self.lastNonZero(piece) { last = at + UInt64(end) + 1 }
            at += UInt64(piece.count)
        }
    }

    private static func lastNonZero(_ bytes: UnsafeRawBufferPointer) -> Int? {
        var at = bytes.count
        while at >= 8, bytes.loadUnaligned(fromByteOffset: at - 8, as: UInt64.self) == 0 { at -= 8 }
        while at > 0 {
            at -= 1
            if bytes[at] != 0 { return at }
        }
        return nil
    }
}
