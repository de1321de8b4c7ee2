import ChatModel
import Storage
import SystemIO
import TLS

/// What stands in files beside the log: the blobs that records know, and whatever does not belong there.
extension CheckCommand {
    /// Reads the file of every upload, in pieces.
    /// - Throws: `Failure` when one is missing or has other bytes; each is named.
    func checkBlobs(_ records: [BlobRecord]) throws(Failure) {
        var sizes: [ContentHash: UInt64] = [:]
        for record in records { sizes[record.hash] = record.size }
        var faults: [JournalFault] = []
        var byteCount: UInt64 = 0
        for (content, size) in sizes.map({ ($0.key.hex, $0.value) }).sorted(by: { $0.0 < $1.0 }) {
            do throws(JournalFault) { try checkBlob(content, size) } catch { faults.append(error) }
            byteCount += size
        }
        guard let first = faults.first else {
            return say("blobs", "sound", "\(sizes.count) files, \(byteCount) bytes")
        }
        for fault in faults.prefix(Self.shownNames) { say("blobs", "damaged", fault.description) }
        let more = faults.count == 1 ? "" : ", and \(faults.count - 1) more"
        throw .damaged(first.description + more)
    }

    private func checkBlob(_ content: String, _ size: UInt64) throws(JournalFault) {
        let name = BlobStore.path(of: content)
        let place = path + "/" + name
        guard let found = try FileDigest.size(of: place, shown: name) else {
            throw .damage(file: name, offset: 0, reason: "it is missing")
        }
        if found != size {
            let reason = "it has \(found) bytes, its record says \(size)"
            throw .damage(file: name, offset: min(found, size), reason: reason)
        }
        if try FileDigest.hex(of: place, shown: name, byteCount: size, SHA256Stream()) != content {
            throw .damage(file: name, offset: 0, reason: "its bytes are not those of its name")
        }
    }

    /// Mentions files that nothing knows.
    func checkUnknown(_ records: [BlobRecord]) throws(Failure) {
        let known = Set(records.map { BlobStore.path(of: $0.hash.hex) })
        let names: [String]
        do throws(JournalFault) {
            names = try StrangeFiles(path) { SHA256Stream() }.find(isKnownBlob: { known.contains($0) })
        } catch { throw Failure(error) }
        if names.isEmpty { return }
        let more = names.count > Self.shownNames ? ", and \(names.count - Self.shownNames) more" : ""
        say("other", "unknown", names.prefix(Self.shownNames).joined(separator: ", ") + more)
    }

    private static var shownNames: Int { 20 }
}
