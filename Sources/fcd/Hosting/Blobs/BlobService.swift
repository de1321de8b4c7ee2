import BlobFrontEnd
import Bytes
import ChatModel
import Engine
import LineFrontEnd
import Persistence
import Storage
import SystemIO
import Wire

/// Everything about blobs that is neither protocol nor state: the files and the threads that touch them.
struct BlobService: Sendable {
    let writer: BlobWriter
    let reader: BlobReader
    private let store: BlobStore

    /// Removes what no record knows, takes over uploads that may go on, and starts the threads. Before anything is served.
    init(_ directory: DataDirectory, _ engine: Engine, _ switchboard: Switchboard, _ log: Log) {
        store = BlobStore(directory: directory.blobs)
        let partials = PartialStore(directory: directory.uploads)
        writer = BlobWriter(store, partials, switchboard, log)
        reader = BlobReader(store, switchboard, log)
        // A log without a single record says nothing about files.
        guard engine.appended > 0 else { return }
        do throws(Errno) {
            let removed = try store.sweep { content in
                ContentHash(hex: content).map { engine.hasBlob(with: $0) } ?? false
            }
            if removed > 0 { log.info("blobs", "unfinished uploads were removed", ["files": String(removed)]) }
        } catch {
            log.warning("blobs", "unfinished uploads could not be removed", ["reason": error.description])
        }
        do throws(Errno) { try adopt(partials, engine, log) } catch {
            log.warning("blobs", "uploads in pieces could not be read", ["reason": error.description])
        }
    }

    /// Uploads that a former run has left: kept until they expire, finished where only that was missing.
    private func adopt(_ partials: PartialStore, _ engine: Engine, _ log: Log) throws(Errno) {
        var (kept, removed) = (0, 0)
        for name in try partials.sweep() {
            guard let (upload, size) = try soundUpload(name, partials), engine.adopt(upload, now: .wallClock) else {
                try partials.remove(name)
                removed += 1
                continue
            }
            kept += 1
            if size == upload.length { writer.add(.complete(upload)) }
        }
        if kept + removed > 0 {
            log.info("blobs", "uploads in pieces", ["kept": String(kept), "removed": String(removed)])
        }
    }

    /// One that is left and its size, nil when its files make no sense. Of bytes that were not compared yet nothing is kept.
    private func soundUpload(
        _ name: String,
        _ partials: PartialStore
    ) throws(Errno) -> (PartialUpload, UInt64)? {
        let notes = try partials.notes(name)
        let decoded = notes.withUnsafeBytes { bytes -> (upload: PartialUpload, checked: UInt64?)? in
            do throws(JSONFault) { return try PartialUploadCodec.decode(bytes) } catch { return nil }
        }
        guard let (upload, checked) = decoded, upload.id.text == name else { return nil }
        do throws(Errno) {
            let file = try partials.open(name)
            var size = try file.size()
            if let checked, size > checked {
                try file.truncate(to: checked)
                try file.sync()
                size = checked
            }
            if checked != nil { try partials.note(name, PartialUploadCodec.encode(upload)) }
            return size <= upload.length ? (upload, size) : nil
        } catch {
            if error.isMissing { return nil }
            throw error
        }
    }

    /// The blob port of a loop, joined to its line front end: mail for both comes by one way.
    func frontEnd(
        loop: Int,
        beside front: LineFrontEnd,
        _ hashers: Hashers,
        metrics: @escaping @Sendable (EngineMetrics) -> String
    ) -> BlobFrontEnd {
        let port = BlobFrontEnd(
            loop: loop,
            works: BlobFrontEnd.Works(
                tokenHash: hashers.token,
                read: { [reader] in reader.add($0) },
                upload: { [writer] in writer.add($0) },
                partial: { [writer] in writer.add($0) },
                metrics: metrics
            ),
            files: StoredFiles(store)
        )
        front.uploads = { [writer] in writer.add($0) }
        front.blobMail = { [unowned port] in port.take($0) }
        return port
    }
}

/// The stored files, for a loop that takes what is in memory.
struct StoredFiles: BlobFiles {
    private let store: BlobStore
    init(_ store: BlobStore) { self.store = store }

    func readCached(
        _ content: ContentHash,
        _ range: Range<UInt64>,
        into room: UnsafeMutableRawBufferPointer,
        _ take: (UnsafeRawBufferPointer) -> Bool
    ) {
        do throws(Errno) {
            let file = try store.open(content.hex)
            var offset = range.lowerBound
            while offset < range.upperBound {
                let most = Int(clamping: min(UInt64(room.count), range.upperBound - offset))
                let part = UnsafeMutableRawBufferPointer(rebasing: room[..<most])
                guard let count = try file.readCached(into: part, at: offset), count > 0 else { return }
                guard take(UnsafeRawBufferPointer(rebasing: part[..<count])) else { return }
                offset += UInt64(count)
            }
        } catch {
            // Whoever asks the disk next meets the same, and says it.
            return
        }
    }
}
