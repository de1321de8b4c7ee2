import Bytes
import Engine
import Persistence
import Storage
import SystemIO

/// Reads the files of a snapshot: a few threads read and decode them, ahead of the one that puts them together in order,
/// but not far, so that memory stays flat.
struct SnapshotLoader {
    let files: SnapshotFiles
    let manifest: SnapshotManifest

    /// Files decoded and not yet taken.
    private static let window = 8
    /// Below this many bytes a second thread is not worth its start.
    private static let smallest: UInt64 = 1 << 20

    private typealias Outcome = Result<SnapshotShard, JournalFault>

    private struct Progress {
        var next = 0
        var taken = 0
        var done: [Int: Outcome] = [:]
        var isOver = false
    }

    /// - Throws: `JournalFault` naming the file and what is wrong with it.
    func load(into content: inout Content) throws(JournalFault) {
        let parts = try parts()
        let size = manifest.files.reduce(0) { $0 + $1.byteCount }
        if size < Self.smallest {
            var buffer = ByteBuffer()
            for (index, part) in parts.enumerated() {
                try restore(try decode(index, part, &buffer), index, part, &content)
            }
        } else {
            try loadInParallel(parts, &content)
        }
        content.finishRestoring(sequence: manifest.sequence)
    }

    private func parts() throws(JournalFault) -> [SnapshotPart] {
        var parts: [SnapshotPart] = []
        for entry in manifest.files {
            guard let part = SnapshotPart(stem: entry.stem) else {
                throw .damage(
                    file: "snapshot/" + SnapshotManifest.fileName,
                    offset: 0,
                    reason: "it names \(entry.name), which is no part of a snapshot"
                )
            }
            parts.append(part)
        }
        return parts
    }

    private func decode(
        _ index: Int,
        _ part: SnapshotPart,
        _ buffer: inout ByteBuffer
    ) throws(JournalFault) -> SnapshotShard {
        let entry = manifest.files[index]
        try files.read(entry, into: &buffer)
        do throws(JSONFault) { return try SnapshotShard(part, buffer.readable) } catch {
            throw .damage(
                file: "snapshot/" + entry.name,
                offset: UInt64(clamping: error.offset),
                reason: error.reason
            )
        }
    }

    private func restore(
        _ shard: SnapshotShard,
        _ index: Int,
        _ part: SnapshotPart,
        _ content: inout Content
    ) throws(JournalFault) {
        let entry = manifest.files[index]
        do throws(RecordFault) { try content.restore(shard, part, holds: entry.holds) } catch {
            throw .damage(file: "snapshot/" + entry.name, offset: 0, reason: error.reason)
        }
    }

    private func loadInParallel(_ parts: [SnapshotPart], _ content: inout Content) throws(JournalFault) {
        let progress = Lock(Progress())
        let loader = self
        let threads = (0..<max(1, min(4, Machine.cpuCount))).map { number in
            SystemIO.Thread(name: "load-\(number)") { loader.work(parts, progress) }
        }
        defer {
            progress.withLock { (progress: inout Progress) in progress.isOver = true }
            progress.signal()
            for thread in threads { thread.join() }
        }
        for (index, part) in parts.enumerated() {
            let outcome = progress.wait { (progress: inout Progress) -> Outcome? in
                guard let outcome = progress.done.removeValue(forKey: index) else { return nil }
                progress.taken = index + 1
                return outcome
            }
            progress.signal()
            try restore(try outcome.get(), index, part, &content)
        }
    }

    private func work(_ parts: [SnapshotPart], _ progress: Lock<Progress>) {
        var buffer = ByteBuffer()
        while let index = progress.wait(until: { (progress: inout Progress) -> Int?? in
            if progress.isOver || progress.next == parts.count { return .some(nil) }
            if progress.next >= progress.taken + Self.window { return nil }
            defer { progress.next += 1 }
            return progress.next
        }) {
            let outcome: Outcome
            do throws(JournalFault) { outcome = .success(try decode(index, parts[index], &buffer)) } catch {
                outcome = .failure(error)
            }
            progress.withLock { (progress: inout Progress) in progress.done[index] = outcome }
            progress.signal()
        }
    }
}
