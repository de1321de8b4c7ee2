import BlobFrontEnd
import ChatModel
import Engine
import LineFrontEnd
import Storage
import SystemIO
import Wire

/// Everything about blobs that is neither protocol nor state: the files and the threads that touch them.
struct BlobService: Sendable {
    let writer: BlobWriter
    let reader: BlobReader

    /// Removes what no record knows, and starts the threads. Before anything is served.
    init(_ directory: DataDirectory, _ engine: Engine, _ switchboard: Switchboard, _ log: Log) {
        let store = BlobStore(directory: directory.blobs)
        // A log without a single record says nothing about files.
        if engine.appended > 0 {
            do throws(Errno) {
                let removed = try store.sweep { content in
                    ContentHash(hex: content).map { engine.hasBlob(with: $0) } ?? false
                }
                if removed > 0 { log.info("blobs", "unfinished uploads were removed", ["files": String(removed)]) }
            } catch {
                log.warning("blobs", "unfinished uploads could not be removed", ["reason": error.description])
            }
        }
        writer = BlobWriter(store, switchboard, log)
        reader = BlobReader(store, switchboard, log)
    }

    /// The blob port of a loop, joined to its line front end: mail for both comes by one way.
    func frontEnd(loop: Int, beside front: LineFrontEnd, _ hashers: Hashers) -> BlobFrontEnd {
        let port = BlobFrontEnd(loop: loop, tokenHash: hashers.token) { [reader] in reader.add($0) }
        front.uploads = { [writer] in writer.add($0) }
        front.blobMail = { [unowned port] in port.take($0) }
        return port
    }
}
