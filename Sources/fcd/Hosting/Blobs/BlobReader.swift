import ChatModel
import Engine
import Storage
import SystemIO

/// Threads that read stored files for the blob port, a bounded piece at a time. No file stays open between two pieces,
/// so that a slow peer holds none.
final class BlobReader: Sendable {
    private let queue = WorkQueue<BlobRead>()
    private let store: BlobStore
    private let log: Log
    private let switchboard: Switchboard

    init(_ store: BlobStore, _ switchboard: Switchboard, _ log: Log, threads: Int = 2) {
        (self.store, self.switchboard, self.log) = (store, switchboard, log)
        for number in 0..<threads {
            _ = SystemIO.Thread(name: "blob-read-\(number)") { [self] in while true { work(queue.next()) } }
        }
    }

    /// Bytes behind a piece that the disk is asked for beforehand.
    private static let ahead = 1 << 20

    func add(_ read: BlobRead) { queue.add(read) }

    private func work(_ read: BlobRead) {
        var failure: Errno?
        let bytes = [UInt8](unsafeUninitializedCapacity: read.count) { room, count in
            do throws(Errno) {
                let file = try store.open(read.content.hex)
                file.prefetch(from: read.offset, count: read.count + Self.ahead)
                count = try file.read(into: UnsafeMutableRawBufferPointer(room), at: read.offset)
            } catch {
                (failure, count) = (error, 0)
            }
        }
        if let failure {
            log.error("blobs", "a stored file cannot be read", ["reason": failure.description])
        }
        let mail = LoopMail.blobBytes(read.connection, failure == nil ? bytes : nil)
        switchboard.loops[Int(read.connection.loop)].post(mail)
    }
}
