import FoundationEssentials
import Glibc
import SystemIO

/// The files of the profiles: `$XDG_CONFIG_HOME/fcc/NAME.json`, readable by their owner alone.
struct ProfileStore {
    private let directory: String
    private let path: String
    private let temporary: String

    /// - Throws: `Failure` when the environment names no home.
    init(name: String, environment: [String: String]) throws(Failure) {
        let base: String
        if let xdg = environment["XDG_CONFIG_HOME"], xdg.hasPrefix("/") {
            base = xdg  // a relative one is to be ignored (XDG Base Directory Specification)
        } else if let home = environment["HOME"], home.hasPrefix("/") {
            base = home + "/.config"
        } else {
            throw Failure(.usage, "neither XDG_CONFIG_HOME nor HOME is set, so there is no place for the profile")
        }
        directory = base + "/fcc"
        path = directory + "/\(name).json"
        temporary = directory + "/.\(name).json.\(getpid())"
    }

    /// The remembered profile; an empty one when there is none yet.
    /// - Throws: `Failure` for a file that cannot be read or is damaged.
    func load() throws(Failure) -> Profile {
        let bytes: [UInt8]
        do {
            bytes = try FileBytes.read(path, limit: 65_536)
        } catch {
            if error.code == ENOENT { return Profile() }
            throw Failure(.usage, "\(path): \(error)")
        }
        do {
            return try JSONDecoder().decode(Profile.self, from: Data(bytes))
        } catch {
            throw Failure(.usage, "\(path): the profile is damaged; remove it and sign in again")
        }
    }

    /// Writes the profile: either the old or the new one stands there, also after a crash.
    func save(_ profile: Profile) throws(Failure) {
        do {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
            let bytes = Array(try encoder.encode(profile)) + [0x0A]
            try makeDirectory(directory)
            try replace(with: bytes)
        } catch {
            throw Failure(.usage, "\(path): the profile cannot be written: \(error)")
        }
    }

    private func replace(with bytes: [UInt8]) throws(Errno) {
        unlink(temporary)
        let file = Descriptor(
            owning: try retrying("open") { open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600) }
        )
        var at = 0
        while at < bytes.count {
            at += try FileBytes.write(bytes[at...], to: file.number)
        }
        try retrying("fsync") { fsync(file.number) }
        try retrying("rename") { rename(temporary, path) }
        let folder = Descriptor(owning: try retrying("open") { open(directory, O_RDONLY | O_CLOEXEC) })
        try retrying("fsync") { fsync(folder.number) }
    }

    /// Makes the directory and those above it that are missing, for the owner alone; ours is made so if it is not.
    private func makeDirectory(_ path: String) throws(Errno) {
        var at = path.startIndex
        while at < path.endIndex {
            at = path[path.index(after: at)...].firstIndex(of: "/") ?? path.endIndex
            let part = String(path[..<at])
            if mkdir(part, 0o700) == -1 {
                let code = errno
                if code != EEXIST { throw Errno(code: code, call: "mkdir") }
            }
        }
        try retrying("chmod") { chmod(path, 0o700) }
    }
}
