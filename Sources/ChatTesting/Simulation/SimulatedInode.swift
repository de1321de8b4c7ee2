/// The bytes of one file: as everybody reads them, as they are on the disk, and what is between the two.
final class SimulatedInode {
    enum Change {
        /// At most one sector: a part of a write that is kept or lost as a whole.
        case bytes([UInt8], at: Int)
        case size(Int)
    }

    private(set) var content: [UInt8] = []
    private var kept: [UInt8] = []
    private var pending: [Change] = []

    static let sectorSize = 512

    func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) {
        if offset + bytes.count > content.count {
            content.append(contentsOf: repeatElement(0, count: offset + bytes.count - content.count))
            pending.append(.size(content.count))
        }
        var at = 0
        while at < bytes.count {
            let end = min(bytes.count, ((offset + at) / Self.sectorSize + 1) * Self.sectorSize - offset)
            let part = Array(bytes[at..<end])
            content.replaceSubrange(offset + at..<offset + end, with: part)
            pending.append(.bytes(part, at: offset + at))
            at = end
        }
    }

    func truncate(to size: Int) {
        resize(&content, size)
        pending.append(.size(size))
    }

    /// What is pending is on the disk now; what a failed sync forgot is not.
    func sync() {
        for change in pending { keep(change) }
        pending = []
    }

    /// A sync has failed: what it was to keep counts as written from now on and is not on the disk.
    func forget() { pending = [] }

    /// The power has gone: any part of what is pending is on the disk, and where the file has grown now and then rubbish in
    /// its place: blocks that belonged to others. A sector that was there before is as it was, or as it was to be.
    func lose(_ random: inout SeededRandom) {
        let whole = random.next() & 3
        let old = kept.count
        for change in pending where whole == 0 || whole > 1 && random.next() & 1 == 0 {
            if case .bytes(let bytes, let at) = change, at >= old, whole == 3, random.next() & 3 == 0 {
                let rubbish = bytes.map { $0 &+ UInt8(random.next() & 1) }
                keep(.bytes(rubbish, at: at))
            } else {
                keep(change)
            }
        }
        (content, pending) = (kept, [])
    }

    private func keep(_ change: Change) {
        switch change {
        case .size(let size): resize(&kept, size)
        case .bytes(let bytes, let at):
            if at + bytes.count > kept.count { resize(&kept, at + bytes.count) }
            kept.replaceSubrange(at..<at + bytes.count, with: bytes)
        }
    }

    private func resize(_ bytes: inout [UInt8], _ size: Int) {
        if size < bytes.count {
            bytes.removeLast(bytes.count - size)
        } else {
            bytes.append(contentsOf: repeatElement(0, count: size - bytes.count))
        }
    }
}
