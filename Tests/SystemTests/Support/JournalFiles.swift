import ChatTesting
import Foundation

/// The journal of a daemon that does not run, to be kept, damaged and put back.
struct JournalFiles {
    let data: String

    init(_ daemon: RunningDaemon) { data = daemon.data }

    /// The newest segment.
    var newest: String {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: data + "/journal")) ?? []
        return data + "/journal/" + (names.filter { $0.hasSuffix(".log") }.max() ?? "none")
    }

    var bytes: [UInt8] { (FileManager.default.contents(atPath: newest)).map { Array($0) } ?? [] }

    /// The bytes up to the end of the last record; zeros that were filled ahead come behind it.
    var records: ArraySlice<UInt8> {
        let all = bytes
        return all[..<((all.lastIndex { $0 != 0 }).map { $0 + 1 } ?? 0)]
    }

    /// Writes the newest segment anew, in place.
    func write(_ bytes: some Sequence<UInt8>) throws {
        try Data(Array(bytes)).write(to: URL(fileURLWithPath: newest))
    }

    /// Copies the whole data directory.
    func keep(as path: String) throws {
        // A socket cannot be copied.
        _ = try? FileManager.default.removeItem(atPath: data + "/control.sock")
        try FileManager.default.copyItem(atPath: data, toPath: path)
    }

    /// Puts a kept copy in place of the data directory.
    func putBack(_ path: String) throws {
        try FileManager.default.removeItem(atPath: data)
        try FileManager.default.copyItem(atPath: path, toPath: data)
    }
}
