import ChatTesting
import Foundation
import Testing

extension RunningDaemon {
    /// Starts fcd on this daemon's data, and `fcd check`: both must refuse with 4, name `file` and what is wrong with it,
    /// and change nothing.
    func expectRefusal(
        _ file: String,
        _ reason: String,
        _ what: String = "",
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let before = storedFiles()
        for command in [[], ["check"]] {
            let run = try FcdRun(command, data: data)
            let about = Comment("\(what) \(command): \(file), \(reason): \(run.errors)")
            #expect(run.code == 4, about, sourceLocation: sourceLocation)
            let isNamed = run.errors.contains(file) && run.errors.contains(reason) && run.errors.contains("offset")
            #expect(isNamed, about, sourceLocation: sourceLocation)
            #expect(storedFiles() == before, about, sourceLocation: sourceLocation)
        }
    }

    /// The contents of the files of journal, snapshot and uploads, by their paths in the data directory.
    private func storedFiles() -> [String: Data] {
        var all: [String: Data] = [:]
        for part in ["journal", "snapshot", "blobs"] {
            let path = data + "/" + part
            for name in FileManager.default.enumerator(atPath: path)?.compactMap({ $0 as? String }) ?? [] {
                all[part + "/" + name] = FileManager.default.contents(atPath: path + "/" + name) ?? Data()
            }
        }
        return all
    }
}
