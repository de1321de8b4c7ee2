import Foundation
import SystemIO

/// A directory of one test, in memory where the system offers that; removed with the object.
final class TemporaryDirectory {
    let path: String
    var storage: Directory { Directory(path) }

    init() {
        let root = FileManager.default.fileExists(atPath: "/dev/shm") ? "/dev/shm" : NSTemporaryDirectory()
        path = root + "/fc-storage-" + UUID().uuidString
        try? FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// The names and contents of all files, to compare before and after.
    func contents() throws -> [String: [UInt8]] {
        var all: [String: [UInt8]] = [:]
        for name in try FileManager.default.contentsOfDirectory(atPath: path) { all[name] = try read(name) }
        return all
    }

    func read(_ name: String) throws -> [UInt8] { Array(try Data(contentsOf: URL(fileURLWithPath: path + "/" + name))) }

    func write(_ name: String, _ bytes: [UInt8]) throws {
        try Data(bytes).write(to: URL(fileURLWithPath: path + "/" + name))
    }

    /// Leaves exactly these files.
    func restore(_ files: [String: [UInt8]]) throws {
        for name in try FileManager.default.contentsOfDirectory(atPath: path) {
            try FileManager.default.removeItem(atPath: path + "/" + name)
        }
        for (name, bytes) in files { try write(name, bytes) }
    }
}

/// Permission bits of a file or directory.
func mode(_ path: String) throws -> Int {
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    return (attributes[.posixPermissions] as? NSNumber)?.intValue ?? -1
}
