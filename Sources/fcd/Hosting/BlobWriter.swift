import ChatModel
import Engine
import Storage
import SystemIO

/// Threads that write uploads; the jobs of a connection stay in order on one of them. What is queued is bounded by the
/// senders: each has at most 256 KiB that were not reported as taken.
final class BlobWriter: Sendable {
    private enum Job: Sendable {
        case upload(UploadJob)
        case settle(SettledBlob)
    }

    private let lanes: [WorkQueue<Job>]
    private let store: BlobStore
    private let log: Log
    private let switchboard: Switchboard

    init(_ store: BlobStore, _ switchboard: Switchboard, _ log: Log, threads: Int = 2) {
        (self.store, self.switchboard, self.log) = (store, switchboard, log)
        lanes = (0..<threads).map { _ in WorkQueue() }
        for (number, lane) in lanes.enumerated() {
            _ = SystemIO.Thread(name: "blob-write-\(number)") { [self] in work(lane) }
        }
    }

    func add(_ job: UploadJob) {
        let key = job.connection
        lanes[(Int(key.slot) + Int(key.loop)) % lanes.count].add(.upload(job))
    }

    /// Passes on what became of a stored file.
    func settle(_ blob: SettledBlob) { lanes[0].add(.settle(blob)) }

    private func work(_ lane: WorkQueue<Job>) {
        var uploads: [ConnectionKey: IncomingUpload] = [:]
        while true {
            for job in lane.take() {
                switch job {
                case .settle(let blob): store.settle(blob.content.hex, isKept: blob.isKept)
                case .upload(.begin(let key, let tag, let put)):
                    uploads[key] = IncomingUpload(tag, put, store, log)
                case .upload(.write(let key, let bytes)):
                    uploads[key]?.append(bytes)
                    switchboard.loops[Int(key.loop)].post(.uploadTaken(key, byteCount: bytes.count))
                case .upload(.finish(let key)):
                    guard let upload = uploads.removeValue(forKey: key) else { continue }
                    switchboard.engine.post(.blobStored(upload.finish(key)))
                case .upload(.abandon(let key)): uploads.removeValue(forKey: key)?.discard()
                }
            }
        }
    }
}

extension UploadJob {
    fileprivate var connection: ConnectionKey {
        switch self {
        case .begin(let key, _, _), .write(let key, _), .finish(let key), .abandon(let key): key
        }
    }
}
