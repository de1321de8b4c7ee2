import SystemIO

/// The kernel's files, until so many calls that change something were made: then every call fails, as if the process had
/// ended there.
final class EndingFileSystem: FileSystem {
    private let disk = LinuxFileSystem()
    private let left: Lock<Int>

    init(after changes: Int) { left = Lock(changes) }

    fileprivate func change() throws(Errno) {
        let isOver = left.withLock { (left: inout Int) -> Bool in
            left -= 1
            return left < 0
        }
        if isOver { throw Errno(code: 5, call: "the end") }
    }

    func open(_ path: String, _ access: File.Access) throws(Errno) -> any OpenFile {
        if access == .create || access == .replace { try change() }
        return EndingFile(try disk.open(path, access), self)
    }
    func makeDirectory(_ path: String) throws(Errno) -> Bool {
        try change()
        return try disk.makeDirectory(path)
    }
    func list(_ path: String) throws(Errno) -> [String] { try disk.list(path) }
    func rename(_ old: String, to new: String) throws(Errno) {
        try change()
        try disk.rename(old, to: new)
    }
    func remove(_ path: String) throws(Errno) {
        try change()
        try disk.remove(path)
    }
    func syncDirectory(_ path: String) throws(Errno) { try disk.syncDirectory(path) }
    func freeBytes(_ path: String) throws(Errno) -> UInt64 { try disk.freeBytes(path) }
}

private final class EndingFile: OpenFile {
    private let file: any OpenFile
    private let disk: EndingFileSystem

    init(_ file: any OpenFile, _ disk: EndingFileSystem) { (self.file, self.disk) = (file, disk) }

    func size() throws(Errno) -> UInt64 { try file.size() }
    func readSome(into room: UnsafeMutableRawBufferPointer, at offset: UInt64) throws(Errno) -> Int {
        try file.readSome(into: room, at: offset)
    }
    func writeSome(_ bytes: UnsafeRawBufferPointer, at offset: UInt64) throws(Errno) -> Int {
        try disk.change()
        return try file.writeSome(bytes, at: offset)
    }
    func syncData() throws(Errno) { try file.syncData() }
    func sync() throws(Errno) { try file.sync() }
    func truncate(to size: UInt64) throws(Errno) {
        try disk.change()
        try file.truncate(to: size)
    }
}
