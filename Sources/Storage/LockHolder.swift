import SystemIO

/// Who holds a data directory: said in its file `lock`, and known to the kernel (proc(5), /proc/locks).
enum LockHolder {
    /// Names this process. For the operator's eyes only, so a full disk does not matter here.
    static func write(in directory: String) {
        let text = Array("\(CurrentProcess.identifier)\n".utf8)
        do throws(Errno) {
            let file = try File(directory + "/lock", .replace)
            let outcome: Result<Void, Errno> = text.withUnsafeBytes { bytes in
                do throws(Errno) { return .success(try file.write(bytes, at: 0)) } catch { return .failure(error) }
            }
            try outcome.get()
        } catch {
            // What holds the directory is the kernel's lock; without the file only the name is missing.
        }
    }

    /// The process that holds the lock of the open directory; nil when nobody says.
    static func find(_ descriptor: borrowing Descriptor, in directory: String) -> Int32? {
        if let inode = try? Directory.inode(of: descriptor),
            let locks = try? File.contents(of: "/proc/locks"),
            let holder = holder(of: inode, in: String(decoding: locks, as: UTF8.self))
        {
            return holder
        }
        guard let text = try? File.contents(of: directory + "/lock", limit: 64) else { return nil }
        return Int32(String(decoding: text.prefix { $0 >= 0x30 && $0 <= 0x39 }, as: UTF8.self))
    }

    /// Finds `1: FLOCK ADVISORY WRITE <pid> <major>:<minor>:<inode> 0 EOF`.
    static func holder(of inode: UInt64, in locks: String) -> Int32? {
        for line in locks.split(separator: "\n") {
            let words = line.split(separator: " ", omittingEmptySubsequences: true)
            guard words.count >= 6, words[1] == "FLOCK", words[5].hasSuffix(":\(inode)") else { continue }
            if let pid = Int32(words[4]), pid > 0 { return pid }
        }
        return nil
    }
}
