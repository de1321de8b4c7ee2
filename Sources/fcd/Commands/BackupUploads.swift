import ChatCore
import ChatModel

/// The uploads that there are at a position of the log, from what snapshot and journal say of them in this order.
struct BackupUploads {
    private var records: [BlobID: BlobRecord] = [:]

    mutating func take(_ entry: LedgerEntry) {
        switch entry {
        case .blob(let record): records[record.id] = record
        case .endBlob(_, let id): records[id] = nil
        case .erasing(let account), .expire(let account), .erased(let account):
            records = records.filter { $0.value.owner != account }
        default: break
        }
    }

    /// Contents in hex with their sizes, each once, sorted.
    var files: [(content: String, size: UInt64)] {
        var sizes: [ContentHash: UInt64] = [:]
        for record in records.values { sizes[record.hash] = record.size }
        return sizes.map { ($0.key.hex, $0.value) }.sorted { $0.0 < $1.0 }
    }
}
