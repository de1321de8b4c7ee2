import Glibc
import SystemIO

/// A disk in memory, with what a real one does between two syncs: bytes and names that were not synced are lost in any part
/// and any order when the power goes. Calls can fail, and the power can go at any of them.
///
/// `@unchecked Sendable`: a simulation runs on one thread.
package final class SimulatedDisk: FileSystem, @unchecked Sendable {
    /// What a path leads to.
    enum Entry {
        case file(SimulatedInode)
        case directory
    }

    /// Names that change together, kept or lost as a whole.
    struct Renaming {
        let directories: [String]
        let changes: [(path: String, entry: Entry?)]
    }

    /// What happens at calls from now on.
    package struct Faults: Sendable {
        /// The call, counted from 1 on, at which the power goes, and whether the call is carried out first.
        package var powerCut: (call: Int, after: Bool)?
        /// Calls between these two fail with EIO; a sync that fails loses what it was to keep.
        package var failing: Range<Int>?
        /// Bytes all files may have together.
        package var capacity: Int?
        /// Writes are cut short now and then.
        package var writesAreShort = false
        package init() {}
    }

    package var faults = Faults()
    /// Calls so far that persist something.
    package private(set) var calls = 0
    /// The power has gone: nothing is carried out any more.
    package private(set) var isOff = false

    private var random: SeededRandom
    private var names: [String: Entry] = [:]
    private var kept: [String: Entry] = [:]
    private var pending: [Renaming] = []

    package init(seed: UInt64) { random = SeededRandom(seed: seed) }

    // MARK: What happens to it

    /// A directory that is there and on the disk from the beginning.
    package func prepare(_ path: String) {
        names[path] = .directory
        kept[path] = .directory
    }

    /// The power comes back: of what was not synced, any part is there. Faults are gone.
    package func restart() {
        for renaming in pending where random.next() & 1 == 0 { apply(renaming, to: &kept) }
        pending = []
        for path in kept.keys.sorted() {
            if case .file(let inode)? = kept[path] { inode.lose(&random) }
        }
        names = kept
        (isOff, faults) = (false, Faults())
    }

    /// The process has ended, the system has not: everything written is there.
    package func restartProcess() { (isOff, faults) = (false, Faults()) }

    /// Bytes of all files.
    package var usedBytes: Int {
        names.values.reduce(0) { sum, entry in
            if case .file(let inode) = entry { sum + inode.content.count } else { sum }
        }
    }

    // MARK: Calls

    /// Counts a call; throws when it is to fail.
    func note() throws(Errno) {
        if isOff { throw Errno(code: EIO, call: "power") }
        calls += 1
        if let cut = faults.powerCut, cut.call == calls, !cut.after {
            isOff = true
            throw Errno(code: EIO, call: "power")
        }
        if faults.failing?.contains(calls) == true { throw Errno(code: EIO, call: "simulated") }
    }

    /// A call has been carried out.
    func done() throws(Errno) {
        if let cut = faults.powerCut, cut.call == calls, cut.after { isOff = true }
    }

    func shortened(_ count: Int) -> Int {
        faults.writesAreShort && count > 1 && random.next() & 3 == 0
            ? 1 + Int(random.next() % UInt64(count - 1)) : count
    }

    func checkRoom(_ more: Int) throws(Errno) {
        guard let capacity = faults.capacity, more > 0, usedBytes + more > capacity else { return }
        throw Errno(code: ENOSPC, call: "simulated")
    }

    package func open(_ path: String, _ access: File.Access) throws(Errno) -> any OpenFile {
        switch (names[path], access) {
        case (.directory?, _): throw Errno(code: EISDIR, call: "open")
        case (.file(let inode)?, .read): return SimulatedFile(inode, on: self)
        case (.file(let inode)?, .update): return SimulatedFile(inode, on: self)
        case (.file?, .create): throw Errno(code: EEXIST, call: "open")
        case (nil, .read), (nil, .update): throw Errno(code: ENOENT, call: "open")
        case (.file(let inode)?, .replace):
            try note()
            inode.truncate(to: 0)
            try done()
            return SimulatedFile(inode, on: self)
        case (nil, .create), (nil, .replace):
            guard case .directory? = names[Directory.parent(of: path)] else { throw Errno(code: ENOENT, call: "open") }
            try note()
            let inode = SimulatedInode()
            change([(path, .file(inode))])
            try done()
            return SimulatedFile(inode, on: self)
        }
    }

    package func makeDirectory(_ path: String) throws(Errno) -> Bool {
        if case .directory? = names[path] { return false }
        if names[path] != nil { throw Errno(code: ENOTDIR, call: "mkdir") }
        try note()
        change([(path, .directory)])
        try done()
        return true
    }

    package func list(_ path: String) throws(Errno) -> [String] {
        guard case .directory? = names[path] else { throw Errno(code: ENOENT, call: "opendir") }
        return names.keys.filter { $0.hasPrefix(path + "/") && !$0.dropFirst(path.utf8.count + 1).contains("/") }
            .map { String($0.dropFirst(path.utf8.count + 1)) }.sorted()
    }

    package func rename(_ old: String, to new: String) throws(Errno) {
        guard let entry = names[old] else { throw Errno(code: ENOENT, call: "rename") }
        try note()
        change([(old, nil), (new, entry)])
        try done()
    }

    package func remove(_ path: String) throws(Errno) {
        guard names[path] != nil else { throw Errno(code: ENOENT, call: "unlink") }
        try note()
        change([(path, nil)])
        try done()
    }

    package func syncDirectory(_ path: String) throws(Errno) {
        guard case .directory? = names[path] else { throw Errno(code: ENOENT, call: "open") }
        try note()
        for renaming in pending where renaming.directories.contains(path) { apply(renaming, to: &kept) }
        pending.removeAll { $0.directories.contains(path) }
        try done()
    }

    package func freeBytes(_ path: String) throws(Errno) -> UInt64 {
        UInt64(max(0, (faults.capacity ?? 1 << 40) - usedBytes))
    }

    private func change(_ changes: [(path: String, entry: Entry?)]) {
        let renaming = Renaming(directories: changes.map { Directory.parent(of: $0.path) }, changes: changes)
        apply(renaming, to: &names)
        pending.append(renaming)
    }

    private func apply(_ renaming: Renaming, to names: inout [String: Entry]) {
        for change in renaming.changes { names[change.path] = change.entry }
    }
}
