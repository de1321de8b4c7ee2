import Glibc
import SystemIO

/// A configuration file: JSON5, settings nested by their groups or under their whole names.
struct ConfigFile: Sendable {
    /// A setting that the file gives.
    struct Entry: Sendable {
        let key: SettingKey
        let value: ConfigValue
    }

    /// Bytes of the largest file that is read.
    static let largest = 1_048_576

    let path: String
    /// In the order of their names.
    let entries: [Entry]

    /// Reads and checks the names of the file at `path`; the values are checked when they are applied.
    /// - Throws: `UsageFault` that names the file and what is wrong in it.
    init(path: String) throws(UsageFault) {
        try self.init(path: path, bytes: try Self.contents(of: path))
    }

    /// The same for bytes already read; `path` is only named in errors.
    init(path: String, bytes: [UInt8]) throws(UsageFault) {
        self.path = path
        guard case .object(let members) = try Self.parse(path, bytes) else {
            throw UsageFault.notAnObject(file: path)
        }
        var entries: [Entry] = []
        try Self.collect(members, under: "", of: path, into: &entries)
        self.entries = entries.sorted { $0.key.name < $1.key.name }
        for (a, b) in zip(self.entries, self.entries.dropFirst()) where a.key.name == b.key.name {
            throw UsageFault.givenTwice(file: path, name: a.key.name)
        }
    }

    private static func parse(_ path: String, _ bytes: [UInt8]) throws(UsageFault) -> ConfigValue {
        let reader = JSON5Reader(bytes)
        guard let value = reader.value else { throw .syntax(file: path, message: reader.trouble ?? "this is no JSON5") }
        if let name = reader.doubled { throw .givenTwice(file: path, name: name) }
        return value
    }

    private static func collect(
        _ members: [String: ConfigValue],
        under group: String,
        of path: String,
        into entries: inout [Entry]
    ) throws(UsageFault) {
        for (member, value) in members.sorted(by: { $0.key < $1.key }) {
            let name = group + member
            if let key = SettingKey.named(name) {
                entries.append(Entry(key: key, value: value))
            } else if case .object(let inner) = value, !inner.isEmpty, name.utf8.count < 256 {
                try collect(inner, under: name + ".", of: path, into: &entries)
            } else if groups.contains(name) {
                if case .object = value { continue }
                let why = "\(name) is a group; its settings stand between { and }"
                throw .badValue(.file(path), setting: name, given: value.shown, why: why)
            } else {
                var known = SettingKey.all.map(\.name)
                if case .object = value { known = groups }
                let nearest = NearestName.of(name, among: known)
                throw .unknownSetting(.file(path), name: name, nearest: nearest)
            }
        }
    }

    /// The names before the dot, each once, sorted.
    private static let groups = Set(
        SettingKey.all.compactMap { key in key.name.firstIndex(of: ".").map { String(key.name[..<$0]) } }
    ).sorted()

    private static func contents(of path: String) throws(UsageFault) -> [UInt8] {
        do {
            let file = Descriptor(owning: try retrying("open") { open(path, O_RDONLY | O_CLOEXEC) })
            var bytes: [UInt8] = []
            var part = [UInt8](repeating: 0, count: 65536)
            while bytes.count <= largest {
                let count = try retrying("read") { read(file.number, &part, part.count) }
                if count == 0 { return bytes }
                bytes.append(contentsOf: part[..<count])
            }
        } catch {
            throw .unreadable(file: path, error)
        }
        throw .tooLarge(file: path, limit: largest)
    }
}
