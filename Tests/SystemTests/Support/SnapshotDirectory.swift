import ChatTesting
import Foundation

/// The snapshot of a daemon, looked at from outside.
struct SnapshotDirectory {
    let path: String

    init(_ daemon: RunningDaemon) { path = daemon.data + "/snapshot" }

    /// Paths of all files below the directory, relative to it, sorted.
    var files: [String] {
        let all = FileManager.default.enumerator(atPath: path)?.compactMap { $0 as? String } ?? []
        return all.filter { $0.hasSuffix(".json") || $0.hasSuffix(".tmp") }.sorted()
    }

    /// The files that the manifest names, and itself.
    var named: [String] {
        let manifest = readWhole(path + "/manifest.json")
        let names = manifest.split(separator: "\n").compactMap { line -> String? in
            guard line.hasPrefix("{\"name\":\"") else { return nil }
            return line.dropFirst(9).split(separator: "\"").first.map(String.init)
        }
        return (names + ["manifest.json"]).sorted()
    }

    /// Counts snapshots, 0 when there is none.
    var generation: Int {
        let rest = readWhole(path + "/manifest.json").split(separator: "\"generation\":").last ?? ""
        return Int(rest.prefix { $0.isNumber }) ?? 0
    }

    /// The file of a stem in this generation or an earlier one.
    func file(_ stem: String) -> String? { files.first { $0.hasPrefix(stem + ".") } }

    func inode(_ file: String) throws -> Int {
        try FileManager.default.attributesOfItem(atPath: path + "/" + file)[.systemFileNumber] as? Int ?? 0
    }

    /// Waits for a snapshot newer than `generation`.
    func isNewer(than generation: Int) -> Bool { holds(within: 20) { self.generation > generation } }
}

/// The names in a directory; none when it cannot be read.
func entries(of path: String) -> [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted()
}

extension ReceivedLine {
    /// The line as anybody's request would have got it.
    var withoutTag: String { raw.replacing(" @\(tag ?? "")", with: "") }
}
