import ChatModel
import Engine
import Storage
import SystemIO
import TLS
import Wire

/// One upload on the writer's thread: its bytes go to a file and into a hash. After a failure they are only counted.
final class IncomingUpload {
    private let tag: Wire.Tag
    private var request: PutBlob
    private let store: BlobStore
    private let log: Log
    private var file: IncomingBlob?
    private let hash = SHA256Stream()
    /// The first bytes, by which pictures are told.
    private var beginning: [UInt8] = []
    private var failure: Refusal?

    init(_ tag: Wire.Tag, _ request: PutBlob, _ store: BlobStore, _ log: Log) {
        (self.tag, self.request, self.store, self.log) = (tag, request, store, log)
        do throws(Errno) { file = try store.begin() } catch { fail(error) }
    }

    func append(_ bytes: [UInt8]) {
        guard failure == nil, let file else { return }
        if beginning.count < RasterImage.signatureSize {
            beginning += bytes.prefix(RasterImage.signatureSize - beginning.count)
        }
        let outcome = bytes.withUnsafeBytes { bytes -> Errno? in
            hash.update(bytes)
            do throws(Errno) {
                try file.append(bytes)
                return nil
            } catch { return error }
        }
        if let outcome { fail(outcome) }
    }

    /// Nothing more comes for a while.
    func rest() { file?.rest() }

    /// Checks the bytes, syncs the file and gives it its name.
    func finish(_ connection: ConnectionKey) -> StoredUpload {
        let content = ContentHash(hash.finish())
        request = PutBlob(
            size: file?.count ?? request.size,
            type: request.type ?? MediaType.guess(beginning: beginning, name: request.name),
            name: request.name,
            target: request.target,
            hash: request.hash
        )
        if failure == nil { failure = fault(content) }
        if failure == nil, let file {
            do throws(Errno) {
                try store.store(file, as: content.hex)
                self.file = nil
            } catch { fail(error) }
        }
        discard()
        return StoredUpload(
            connection: connection,
            tag: tag,
            request: request,
            outcome: failure.map { .failure($0) } ?? .success(content)
        )
    }

    /// Keeps nothing.
    func discard() {
        file?.discard()
        file = nil
    }

    private func fault(_ content: ContentHash) -> Refusal? {
        if let type = request.type, let kind = RasterImage(type: type), !kind.begins(beginning) {
            return .badArg("type", "the bytes are no \(type)")
        }
        if let expected = request.hash, expected != content {
            return .badArg("sha256", "the bytes have another SHA-256: \(content.hex)")
        }
        return nil
    }

    private func fail(_ error: Errno) {
        log.error("blobs", "an upload could not be stored", ["reason": error.description])
        discard()
        failure = .ofDisk(error)
    }
}

extension ContentHash {
    init(_ digest: SHA256Digest) {
        self.init(a: digest.words.0, b: digest.words.1, c: digest.words.2, d: digest.words.3)
    }
}
