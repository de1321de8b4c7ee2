import ChatModel
import Engine
import Persistence
import Storage
import SystemIO
import TLS

/// The file work of uploads in pieces on one of the writer's threads; an upload is always on the same.
final class PartialDesk {
    /// A piece that is coming.
    private struct Piece {
        let key: ConnectionKey
        let upload: PartialUpload
        let start: UInt64
        var offset: UInt64
        let checksum: PieceChecksum?
        let digest: ContentDigest?
        var failure: Refusal?
    }

    private var pieces: [BlobID: Piece] = [:]
    private let files: PartialStore
    private let blobs: BlobStore
    private let switchboard: Switchboard
    private let log: Log

    init(_ files: PartialStore, _ blobs: BlobStore, _ switchboard: Switchboard, _ log: Log) {
        (self.files, self.blobs, self.switchboard, self.log) = (files, blobs, switchboard, log)
    }

    func work(_ job: PartialJob) {
        switch job {
        case .make(let key, let upload): make(upload, key)
        case .look(let key, let upload): look(upload, key)
        case .begin(let key, let upload, let offset, let checksum): begin(upload, offset, checksum, key)
        case .write(let key, let id, let bytes): write(id, bytes, key)
        case .finish(let key, let upload): finish(upload, key)
        case .abandon(let key, let id): abandon(id, key)
        case .complete(let upload): complete(upload, nil)
        case .remove(let key, let id): remove(id, key)
        }
    }

    private func tell(_ key: ConnectionKey, _ news: PartialNews) {
        switchboard.loops[Int(key.loop)].post(.partial(key, news))
    }

    private func refusal(_ error: Errno) -> Refusal {
        log.error("blobs", "an upload in pieces met an error", ["reason": error.description])
        return .ofDisk(error)
    }

    private func make(_ upload: PartialUpload, _ key: ConnectionKey) {
        do throws(Errno) {
            try files.make(upload.id.text, notes: PartialUploadCodec.encode(upload))
            tell(key, .done)
        } catch {
            try? files.remove(upload.id.text)
            switchboard.engine.post(.partialFailed(upload.id))
            tell(key, .refused(refusal(error)))
        }
    }

    /// Whoever comes now has the upload to himself.
    private func oust(_ id: BlobID) throws(Errno) {
        guard let piece = pieces.removeValue(forKey: id) else { return }
        tell(piece.key, .ousted)
        try forget(piece)
    }

    /// A piece without an end: what was to be compared and was not is dropped.
    private func forget(_ piece: Piece) throws(Errno) {
        guard piece.checksum != nil || piece.failure != nil else { return }
        try cut(piece.upload, to: piece.checksum == nil ? piece.offset : piece.start)
        if piece.checksum != nil { try files.note(piece.upload.id.text, PartialUploadCodec.encode(piece.upload)) }
    }

    private func cut(_ upload: PartialUpload, to size: UInt64) throws(Errno) {
        let file = try files.open(upload.id.text)
        if try file.size() > size { try file.truncate(to: size) }
        try file.sync()
    }

    private func look(_ upload: PartialUpload, _ key: ConnectionKey) {
        do throws(Errno) {
            try oust(upload.id)
            let file = try files.open(upload.id.text)
            // What is told is on the disk.
            try file.sync()
            tell(key, .offset(try file.size()))
        } catch { tell(key, .refused(refusal(error))) }
    }

    private func begin(_ upload: PartialUpload, _ offset: UInt64, _ checksum: PieceChecksum?, _ key: ConnectionKey) {
        do throws(Errno) {
            try oust(upload.id)
            let size = try files.open(upload.id.text).size()
            guard size == offset else {
                let details: [KeyValue] = [.number("offset", size)]
                let text = "the upload stands at another byte"
                return tell(key, .refused(Refusal(.conflict, field: "upload-offset", details: details, text)))
            }
            if checksum != nil {
                try files.note(upload.id.text, PartialUploadCodec.encode(upload, checked: size))
            }
            pieces[upload.id] = Piece(
                key: key,
                upload: upload,
                start: offset,
                offset: offset,
                checksum: checksum,
                digest: checksum.map { ContentDigest($0.algorithm.digest) }
            )
            tell(key, .offset(size))
        } catch { tell(key, .refused(refusal(error))) }
    }

    private func write(_ id: BlobID, _ bytes: [UInt8], _ key: ConnectionKey) {
        defer { switchboard.loops[Int(key.loop)].post(.uploadTaken(key, byteCount: bytes.count)) }
        guard var piece = pieces[id], piece.key == key, piece.failure == nil else { return }
        let room = piece.upload.length - piece.offset
        let outcome = bytes.withUnsafeBytes { bytes -> Refusal? in
            guard UInt64(bytes.count) <= room else { return .tooBig(limit: piece.upload.length, got: nil) }
            piece.digest?.update(bytes)
            do throws(Errno) {
                try files.open(id.text).write(bytes, at: piece.offset)
                return nil
            } catch { return refusal(error) }
        }
        piece.failure = outcome
        if outcome == nil { piece.offset += UInt64(bytes.count) }
        pieces[id] = piece
    }

    private func finish(_ upload: PartialUpload, _ key: ConnectionKey) {
        guard let piece = pieces[upload.id], piece.key == key else { return }
        pieces[upload.id] = nil
        do throws(Errno) {
            if let failure = piece.failure {
                try forget(piece)
                return tell(key, .refused(failure))
            }
            if let checksum = piece.checksum, piece.digest?.finish() != checksum.digest {
                try forget(piece)
                return tell(key, .mismatch)
            }
            try files.open(upload.id.text).sync()
            if piece.checksum != nil { try files.note(upload.id.text, PartialUploadCodec.encode(upload)) }
        } catch { return giveUp(upload, error, key) }
        if piece.offset == upload.length { complete(upload, key) } else { tell(key, .appended(piece.offset)) }
    }

    /// After a failed sync nobody knows what is on the disk.
    private func giveUp(_ upload: PartialUpload, _ error: Errno, _ key: ConnectionKey) {
        try? files.remove(upload.id.text)
        switchboard.engine.post(.partialFailed(upload.id))
        tell(key, .refused(refusal(error)))
    }

    private func abandon(_ id: BlobID, _ key: ConnectionKey) {
        guard let piece = pieces[id], piece.key == key else { return }
        pieces[id] = nil
        do throws(Errno) { try forget(piece) } catch { _ = refusal(error) }
    }

    /// Hashes what is whole, checks it like any upload, and gives it its place in the store.
    private func complete(_ upload: PartialUpload, _ key: ConnectionKey?) {
        let outcome: Result<(content: ContentHash, type: String), Refusal>
        do throws(Errno) {
            let (content, beginning) = try digest(upload)
            let type = upload.type ?? MediaType.guess(beginning: beginning, name: upload.name)
            if let kind = RasterImage(type: type), !kind.begins(beginning) {
                outcome = .failure(.badArg("type", "the bytes are no \(type)"))
            } else {
                try files.put(upload.id.text, into: blobs, as: content.hex)
                outcome = .success((content, type))
            }
        } catch { outcome = .failure(refusal(error)) }
        switchboard.engine.post(.partialWhole(WholePartial(connection: key, id: upload.id, outcome: outcome)))
    }

    private func digest(_ upload: PartialUpload) throws(Errno) -> (ContentHash, beginning: [UInt8]) {
        let file = try files.open(upload.id.text)
        let hash = SHA256Stream()
        var beginning: [UInt8] = []
        let room = UnsafeMutableRawBufferPointer.allocate(byteCount: 262_144, alignment: 4096)
        defer { room.deallocate() }
        var offset: UInt64 = 0
        while true {
            let count = try file.read(into: room, at: offset)
            let bytes = UnsafeRawBufferPointer(rebasing: room[..<count])
            if offset == 0 { beginning = Array(bytes.prefix(RasterImage.signatureSize)) }
            hash.update(bytes)
            offset += UInt64(count)
            if count < room.count { return (ContentHash(hash.finish()), beginning) }
        }
    }

    private func remove(_ id: BlobID, _ key: ConnectionKey?) {
        if let piece = pieces.removeValue(forKey: id) { tell(piece.key, .ousted) }
        do throws(Errno) {
            try files.remove(id.text)
            if let key { tell(key, .done) }
        } catch {
            let refusal = refusal(error)
            if let key { tell(key, .refused(refusal)) }
        }
    }
}

extension PieceChecksum.Algorithm {
    fileprivate var digest: ContentDigest.Algorithm {
        switch self {
        case .sha1: .sha1
        case .sha256: .sha256
        case .md5: .md5
        }
    }
}

extension Refusal {
    /// A file could not be written.
    static func ofDisk(_ error: Errno) -> Refusal {
        error.isFull
            ? Refusal(.busy, retry: .seconds(60), "the server's disk is full")
            : Refusal(.internal, retry: .now, "the file could not be stored")
    }
}
