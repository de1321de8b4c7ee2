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
        case partial(PartialJob)
        case remove(ContentHash)
    }

    /// Files that one lane keeps open between pieces.
    private static let mostOpen = 16

    private let lanes: [WorkQueue<Job>]
    private let store: BlobStore
    private let partials: PartialStore
    private let log: Log
    private let switchboard: Switchboard

    init(
        _ store: BlobStore,
        _ partials: PartialStore,
        _ switchboard: Switchboard,
        _ log: Log,
        threads: Int = 2
    ) {
        (self.store, self.partials, self.switchboard, self.log) = (store, partials, switchboard, log)
        lanes = (0..<threads).map { _ in WorkQueue() }
        for (number, lane) in lanes.enumerated() {
            _ = SystemIO.Thread(name: "blob-write-\(number)") { [self] in work(lane) }
        }
    }

    func add(_ job: UploadJob) {
        let key = job.connection
        lanes[(Int(key.slot) + Int(key.loop)) % lanes.count].add(.upload(job))
    }

    /// Jobs of an upload in pieces stay in order whatever connection they come from.
    func add(_ job: PartialJob) { lanes[Int(job.upload.text.utf8.last ?? 0) % lanes.count].add(.partial(job)) }

    /// Passes on what became of a stored file.
    func settle(_ blob: SettledBlob) { lanes[0].add(.settle(blob)) }

    /// Removes a file, behind what was settled before.
    func remove(_ content: ContentHash) { lanes[0].add(.remove(content)) }

    private func work(_ lane: WorkQueue<Job>) {
        var uploads: [ConnectionKey: IncomingUpload] = [:]
        let desk = PartialDesk(partials, store, switchboard, log)
        // Those whose files are open, the one that was written to last at the end.
        var awake: [ConnectionKey] = []
        while true {
            var taken = Taken()
            for job in lane.take() {
                switch job {
                case .settle(let blob): store.settle(blob.content.hex, isKept: blob.isKept)
                case .partial(let job): desk.work(job)
                case .remove(let content): remove(content.hex)
                case .upload(.begin(let key, let tag, let put)):
                    uploads[key] = IncomingUpload(tag, put, store, log)
                    awake.append(key)
                case .upload(.write(let key, let bytes)):
                    uploads[key]?.append(bytes)
                    taken.note(key, bytes.count, switchboard)
                    if awake.last != key {
                        awake.removeAll { $0 == key }
                        awake.append(key)
                    }
                case .upload(.finish(let key)):
                    guard let upload = uploads.removeValue(forKey: key) else { continue }
                    switchboard.engine.post(.blobStored(upload.finish(key)))
                case .upload(.abandon(let key)): uploads.removeValue(forKey: key)?.discard()
                }
            }
            taken.tell(switchboard)
            awake.removeAll { uploads[$0] == nil }
            while awake.count > Self.mostOpen { uploads[awake.removeFirst()]?.rest() }
        }
    }

    /// Bytes of one connection that were written and not reported yet: a loop is woken for many at once.
    private struct Taken {
        /// As many as half of what may wait.
        private static let most = 98_304
        private var key: ConnectionKey?
        private var count = 0

        mutating func note(_ key: ConnectionKey, _ count: Int, _ switchboard: Switchboard) {
            if self.key != key { tell(switchboard) }
            self.key = key
            self.count += count
            if self.count >= Self.most { tell(switchboard) }
        }

        mutating func tell(_ switchboard: Switchboard) {
            if let key, count > 0 { switchboard.loops[Int(key.loop)].post(.uploadTaken(key, byteCount: count)) }
            (key, count) = (nil, 0)
        }
    }
}

extension PartialJob {
    fileprivate var upload: BlobID {
        switch self {
        case .make(_, let upload), .look(_, let upload), .begin(_, let upload, _, _), .finish(_, let upload),
            .complete(let upload):
            upload.id
        case .write(_, let id, _), .abandon(_, let id), .remove(_, let id): id
        }
    }
}

extension BlobWriter {
    private func remove(_ content: String) {
        do throws(Errno) { try store.remove(content) } catch {
            if error.isMissing { return }
            log.warning("blobs", "a file that nothing needs could not be removed", ["reason": error.description])
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
