import Foundation
import SystemIO

/// A directory of one test, in memory where the system offers that; removed with the object.
final class MemoryDirectory {
    let path: String

    init() {
        let root = FileManager.default.fileExists(atPath: "/dev/shm") ? "/dev/shm" : NSTemporaryDirectory()
        path = root + "/fc-recovery-" + UUID().uuidString
        try? FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    /// A copy of another directory.
    convenience init(copyOf other: String) throws {
        self.init()
        try FileManager.default.removeItem(atPath: path)
        try FileManager.default.copyItem(atPath: other, toPath: path)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// The contents of all files below the directory, by their paths relative to it.
    func contents() throws -> [String: [UInt8]] { try RecoveryTests.contents(of: path) }

    func read(_ name: String) throws -> [UInt8] { Array(try Data(contentsOf: URL(fileURLWithPath: path + "/" + name))) }

    func write(_ name: String, _ bytes: some Sequence<UInt8>) throws {
        try Data(Array(bytes)).write(to: URL(fileURLWithPath: path + "/" + name))
    }

    func remove(_ name: String) throws { try FileManager.default.removeItem(atPath: path + "/" + name) }

    /// Leaves exactly these files.
    func restore(_ files: [String: [UInt8]]) throws {
        for name in try FileManager.default.contentsOfDirectory(atPath: path) { try remove(name) }
        for (name, bytes) in files {
            let parent = Directory.parent(of: path + "/" + name)
            try FileManager.default.createDirectory(atPath: parent, withIntermediateDirectories: true)
            try write(name, bytes)
        }
    }
}

/// The contents of all plain files below a directory, by their paths relative to it.
func contents(of path: String) throws -> [String: [UInt8]] {
    var all: [String: [UInt8]] = [:]
    for name in try FileManager.default.subpathsOfDirectory(atPath: path) {
        let attributes = try FileManager.default.attributesOfItem(atPath: path + "/" + name)
        guard attributes[.type] as? FileAttributeType == .typeRegular else { continue }
        all[name] = Array(try Data(contentsOf: URL(fileURLWithPath: path + "/" + name)))
    }
    return all
}

/// The bytes without most of the zeros at their end: a journal is filled ahead with megabytes of them.
func withoutZeros(_ bytes: Data) -> [UInt8] {
    var count = bytes.count
    let zeros = Data(count: 4096)
    while count > 4096, bytes[(count - 4096)..<count] == zeros { count -= 4096 }
    return Array(bytes[..<count])
}
