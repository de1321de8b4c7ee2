import SystemIO

/// Where a repair keeps what it replaces: `repair-N` in the data directory, with the files under their old names. Nothing
/// else touches it; whoever needs it no more removes it.
///
/// It is made as `repair-N.tmp` and gets its name when everything in it is on disk. Files get a second name there, so that
/// this costs no room; where the file system cannot do that they are copied.
package struct SetAside {
    /// The name it has when it is whole.
    package let name: String
    private let data: String
    private let temporary: String
    private var made: [String]

    /// Begins one; what an earlier try left unfinished is removed.
    package init(in data: String) throws(JournalFault) {
        let names = try naming(data) { () throws(Errno) in try Directory.list(data) }
        let taken = names.compactMap(Self.number)
        name = "repair-\((taken.max() ?? 0) &+ 1)"
        (self.data, temporary) = (data, data + "/" + name + ".tmp")
        made = [temporary]
        let path = temporary
        try naming(name) { () throws(Errno) in
            if names.contains(Directory.lastPart(of: path)) { try Self.removeTree(path) }
            try Directory.create(path)
        }
    }

    /// Whether a name in a data directory is that of one that is whole.
    static func isName(_ name: String) -> Bool { number(name) != nil }

    private static func number(_ name: String) -> UInt64? {
        guard name.hasPrefix("repair-"), let number = UInt64(name.dropFirst(7)), "repair-\(number)" == name else {
            return nil
        }
        return number
    }

    /// Keeps the file at `path` of the data directory under the same path.
    package mutating func keep(_ path: String) throws(JournalFault) {
        var below = temporary
        do throws(Errno) {
            for part in path.split(separator: "/").dropLast() {
                below += "/" + part
                if try Directory.create(below) { made.append(below) }
            }
            let target = temporary + "/" + path
            do throws(Errno) { try Directory.link(data + "/" + path, as: target) } catch {
                if error.isMissing { throw error }
                try Self.copy(data + "/" + path, to: target)
            }
        } catch { throw .system(file: path, error) }
    }

    /// Writes a file of this name into it.
    package func write(_ file: String, _ bytes: UnsafeRawBufferPointer) throws(JournalFault) {
        let path = temporary + "/" + file
        try naming(name) { () throws(Errno) in
            let file = try File(path, .replace)
            try file.write(bytes, at: 0)
            try file.sync()
        }
    }

    /// Brings it to disk and gives it its name.
    package func finish() throws(JournalFault) {
        try naming(name) { () throws(Errno) in
            for path in made { try Directory.sync(path) }
            try Directory.rename(temporary, to: data + "/" + name)
            try Directory.sync(data)
        }
    }

    private static func copy(_ path: String, to target: String) throws(Errno) {
        let source = try File(path, .read)
        let copy = try File(target, .create)
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 4096)
        defer { memory.deallocate() }
        var at: UInt64 = 0
        while true {
            let count = try source.read(into: memory, at: at)
            if count == 0 { break }
            try copy.write(UnsafeRawBufferPointer(rebasing: memory[..<count]), at: at)
            at += UInt64(count)
        }
        try copy.sync()
    }

    /// Removes a directory that `keep` filled: files and directories, no links followed.
    private static func removeTree(_ path: String) throws(Errno) {
        for name in try Directory.list(path) {
            let below = path + "/" + name
            do throws(Errno) { try Directory.remove(below) } catch { try removeTree(below) }
        }
        try Directory.removeEmpty(path)
    }
}

extension Directory {
    /// What stands behind the last slash.
    fileprivate static func lastPart(of path: String) -> String {
        String(path[(path.lastIndex(of: "/" as Character).map { path.index(after: $0) } ?? path.startIndex)...])
    }
}
