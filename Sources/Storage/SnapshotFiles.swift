import Bytes
import SystemIO

/// The snapshot on disk, for reading. Changes nothing.
package struct SnapshotFiles: Sendable {
    package typealias MakeDigest = @Sendable () -> any ByteDigest

    package let directory: Directory
    private let makeDigest: MakeDigest

    /// - Parameter directory: of the snapshot, which exists (`DataDirectory.snapshot`).
    package init(directory: Directory, makeDigest: @escaping MakeDigest) {
        (self.directory, self.makeDigest) = (directory, makeDigest)
    }

    /// The manifest; nil when there is none.
    /// - Throws: `JournalFault` when it is damaged or newer.
    package func manifest() throws(JournalFault) -> SnapshotManifest? {
        let bytes: [UInt8]
        do throws(Errno) { bytes = try directory.contents(of: SnapshotManifest.fileName, limit: 1 << 30) } catch {
            if error.isMissing { return nil }
            throw .system(file: SnapshotManifest.shownName, error)
        }
        // withUnsafeBytes does not carry a typed error.
        let outcome: Result<SnapshotManifest, JournalFault> = bytes.withUnsafeBytes { bytes in
            do throws(JournalFault) {
                return .success(try SnapshotManifest(decoding: bytes, digest: makeDigest()))
            } catch { return .failure(error) }
        }
        return try outcome.get()
    }

    /// There is a file of some snapshot, named by a manifest or not.
    package func hasAny() throws(JournalFault) -> Bool {
        let names: [String]
        do throws(Errno) { names = try directory.list() } catch {
            // Versions without snapshots made no directory for them.
            if error.isMissing { return false }
            throw .system(file: "snapshot", error)
        }
        return names.contains { SnapshotFileName($0) != nil || $0 == SnapshotManifest.fileName }
    }

    /// All files of snapshots that are there, whether a manifest names them or not.
    package func all() throws(JournalFault) -> [SnapshotFileName] {
        try naming("snapshot") { () throws(Errno) in
            var names = try directory.list()
            if names.contains("timeline") {
                let timelines = directory.directory("timeline")
                for number in try timelines.list() where UInt32(number) != nil {
                    names += try timelines.directory(number).list().map { "timeline/\(number)/\($0)" }
                }
            }
            return names.compactMap { SnapshotFileName($0) }
        }
    }

    /// The whole content of a file that the manifest names, in `buffer`, whose memory is used again.
    /// - Throws: `JournalFault` damage when it is missing or not as the manifest says.
    package func read(_ entry: SnapshotManifest.Entry, into buffer: inout ByteBuffer) throws(JournalFault) {
        let shown = "snapshot/" + entry.name
        buffer.clear()
        let size: UInt64
        do throws(Errno) {
            let file = try directory.open(entry.name, .read)
            size = try file.size()
            if size == entry.byteCount {
                let room = UnsafeMutableRawBufferPointer(start: buffer.reserve(Int(size)), count: Int(size))
                buffer.commit(try file.read(into: room, at: 0))
            }
        } catch {
            if error.isMissing { throw .damage(file: shown, offset: 0, reason: "it is missing") }
            throw .system(file: shown, error)
        }
        if size != entry.byteCount {
            let reason = "it has \(size) bytes, the manifest says \(entry.byteCount)"
            throw .damage(file: shown, offset: min(size, entry.byteCount), reason: reason)
        }
        var digest = makeDigest()
        digest.update(buffer.readable)
        if digest.hex() != entry.sha256 {
            throw .damage(file: shown, offset: 0, reason: "its checksum is not the one in the manifest")
        }
    }
}
