import ChatModel
import ChatTesting
import Engine
import Foundation
import Storage
import SystemIO
import TLS

@testable import fcd

/// A copy of a data directory that a test damages and starts from as the daemon does, up to the engine.
final class DataTrial {
    let directory: MemoryDirectory
    private let sound: [String: [UInt8]]
    /// The journal as it was written.
    private let segments: [RecordMap]

    /// Files of the journal and the snapshot, without the zeros that a journal is filled ahead with.
    init(of files: [String: [UInt8]]) throws {
        directory = MemoryDirectory()
        sound = files
        segments = files.keys.filter { $0.hasPrefix("journal/") }.sorted().map { RecordMap(files[$0] ?? []) }
        for part in ["journal", "snapshot", "blobs"] { try Directory.create(directory.path + "/" + part) }
        for (name, bytes) in files {
            let parent = Directory.parent(of: directory.path + "/" + name)
            try FileManager.default.createDirectory(atPath: parent, withIntermediateDirectories: true)
            try directory.write(name, bytes)
        }
    }

    convenience init(_ sample: SampleData) throws {
        let all = try contents(of: sample.path).filter {
            $0.key.hasPrefix("journal/0") || $0.key.hasPrefix("snapshot/")
        }
        try self.init(of: all.mapValues { withoutZeros(Data($0)) })
    }

    /// Paths of the snapshot's files, the manifest among them.
    var snapshotFiles: [String] { sound.keys.filter { $0.hasPrefix("snapshot/") }.sorted() }
    var newestSegment: String { sound.keys.filter { $0.hasPrefix("journal/") }.max() ?? "none" }

    func bytes(_ name: String) -> [UInt8] { sound[name] ?? [] }

    /// Puts a file back as it was.
    func putBack(_ name: String) throws { try directory.write(name, bytes(name)) }

    private var recovery: Recovery {
        Recovery(
            snapshot: SnapshotFiles(directory: Directory(directory.path + "/snapshot")) { SHA256Stream() },
            limits: Limits()
        )
    }

    /// Reads everything without changing anything.
    func inspect() -> (outcome: Outcome, content: Content?) {
        do throws(JournalFault) {
            let (content, replay) = try Recovery.inspect(directory.path, limits: Limits())
            return (Outcome(replay), content)
        } catch { return (Outcome(error), nil) }
    }

    /// Recovers in earnest; what is refused must not change. The directory is put back by the caller.
    func start() throws -> (outcome: Outcome, content: Content?) {
        let before = try directory.contents()
        do throws(JournalFault) {
            let data = Directory(directory.path)
            let manifest = try recovery.manifest(journalDirectory: data.directory("journal"))
            let settings = try recovery.journalSettings(manifest, data: data)
            let journal = FileJournal(directory: data.directory("journal"), settings: settings)
            defer { journal.seal() }
            let found = try recovery.content(manifest, journal)
            return (Outcome(found.replay), found.content)
        } catch {
            if try directory.contents() != before { return (.wrong("refused, and changed: \(error)"), nil) }
            return (Outcome(error), nil)
        }
    }

    /// The state that the snapshot and the records through `last`, one after the other, make.
    func reference(through last: UInt64) throws -> Content {
        var content = Content(limits: Limits())
        if let manifest = try recovery.snapshot.manifest() {
            try SnapshotLoader(files: recovery.snapshot, manifest: manifest).load(into: &content)
        }
        for map in segments {
            for item in map.items where item.sequence <= last && item.sequence > content.globalSequence {
                try Array(map.text(item)).withUnsafeBytes { try content.replay($0, globalSequence: item.sequence) }
            }
        }
        try content.finishRecovery()
        return content
    }
}

extension Content {
    /// Everything that can be told of it.
    var text: [String] { text([], Timestamp(milliseconds: 0)) }
}
