import SystemIO

/// An open file of a simulated disk.
///
/// `@unchecked Sendable`: a simulation runs on one thread.
final class SimulatedFile: OpenFile, @unchecked Sendable {
    private let inode: SimulatedInode
    private let disk: SimulatedDisk

    init(_ inode: SimulatedInode, on disk: SimulatedDisk) { (self.inode, self.disk) = (inode, disk) }

    func size() throws(Errno) -> UInt64 { UInt64(inode.content.count) }

    func readSome(into room: UnsafeMutableRawBufferPointer, at offset: UInt64) throws(Errno) -> Int {
        guard offset < UInt64(inode.content.count) else { return 0 }
        let count = min(room.count, inode.content.count - Int(offset))
        room.copyBytes(from: inode.content[Int(offset)..<Int(offset) + count])
        return count
    }

    func writeSome(_ bytes: UnsafeRawBufferPointer, at offset: UInt64) throws(Errno) -> Int {
        try disk.note()
        let count = disk.shortened(bytes.count)
        try disk.checkRoom(Int(offset) + count - inode.content.count)
        inode.write(UnsafeRawBufferPointer(rebasing: bytes[..<count]), at: Int(offset))
        try disk.done()
        return count
    }

    func syncData() throws(Errno) { try sync() }

    func sync() throws(Errno) {
        do throws(Errno) { try disk.note() } catch {
            if !disk.isOff { inode.forget() }
            throw error
        }
        inode.sync()
        try disk.done()
    }

    func truncate(to size: UInt64) throws(Errno) {
        try disk.note()
        try disk.checkRoom(Int(size) - inode.content.count)
        inode.truncate(to: Int(size))
        try disk.done()
    }
}
