import Bytes
import ChatCore
import ChatModel
import Wire

/// The lines of one collection whose seqs share a file of a snapshot, each with the number of the item's owner; the last
/// file says which seq is the next one:
///
/// ```
/// {"format":3,"collection":1,"items":[
/// [5,"EV item coll=items/tea seq=7 …"],
/// [6,"EV item coll=items/tea seq=9 …"]
/// ],"next":10}
/// ```
package enum ItemCodec {
    package static func begin(_ number: CollectionNumber, _ out: inout ByteBuffer) {
        out.append("{\"format\":3,\"collection\":")
        out.append(decimal: UInt64(number.raw))
        out.append(",\"items\":[\n")
    }

    /// Appends a line, given without its LF.
    package static func append(
        _ line: UnsafeRawBufferPointer,
        owner: AccountNumber,
        isFirst: Bool,
        into out: inout ByteBuffer
    ) {
        if !isFirst { out.append(",\n") }
        out.append(byte: 0x5B)
        out.append(decimal: UInt64(owner.raw))
        out.append(byte: 0x2C)
        JSONString.append(line, into: &out)
        out.append(byte: 0x5D)
    }

    /// - Parameter next: in the last file of the collection.
    package static func end(next: Seq?, _ out: inout ByteBuffer) {
        out.append("\n]")
        if let next {
            out.append(",\"next\":")
            out.append(decimal: next)
        }
        out.append("}\n")
    }

    /// Reads a file: `line` gets each line, without its LF, valid during the call.
    /// - Returns: the collection, and the next seq where the file says it.
    package static func decode(
        _ bytes: UnsafeRawBufferPointer,
        _ line: (AccountNumber, UnsafeRawBufferPointer) throws(JSONFault) -> Void
    ) throws(JSONFault) -> (number: CollectionNumber, next: Seq?) {
        var reader = JSONReader(bytes)
        var (number, next): (CollectionNumber?, Seq?)
        var buffer = ByteBuffer(capacity: 1024)
        try reader.object { (reader, key) throws(JSONFault) in
            switch key {
            case "format": try SnapshotFormat.check(&reader)
            case "collection": number = try reader.collectionNumber()
            case "items":
                try reader.array { (reader) throws(JSONFault) in
                    buffer.clear()
                    let owner = try decodeOne(&reader, &buffer)
                    try line(owner, buffer.readable)
                }
            case "next": next = try reader.number()
            default: throw reader.fault("an unknown key")
            }
        }
        try reader.end()
        guard let number else { throw reader.fault("items without their collection") }
        return (number, next)
    }

    private static func decodeOne(
        _ reader: inout JSONReader,
        _ buffer: inout ByteBuffer
    ) throws(JSONFault) -> AccountNumber {
        var owner = AccountNumber.server
        try reader.tuple(2) { (reader, index) throws(JSONFault) in
            if index == 0 { owner = try reader.accountNumber() } else { try reader.string(into: &buffer) }
        }
        guard ItemLine(buffer.readable) != nil, LineSplitter.lineEnd(in: buffer.readable) == nil else {
            throw reader.fault("an item's line that is none")
        }
        return owner
    }

    /// Hands over the lines that can still be read of a damaged file.
    /// - Returns: the collection, when the file says it, and how many lines cannot be read.
    package static func salvage(
        _ bytes: UnsafeRawBufferPointer,
        _ line: (AccountNumber, UnsafeRawBufferPointer) -> Void
    ) -> (number: CollectionNumber?, unreadable: Int) {
        var (number, unreadable) = (CollectionNumber?.none, 0)
        var buffer = ByteBuffer(capacity: 1024)
        EntrySalvage.forEachLine(bytes) { entry in
            if EntrySalvage.isFrame(entry) {
                number = number ?? collection(ofHead: entry)
                return
            }
            var reader = JSONReader(entry)
            buffer.clear()
            guard let owner = try? decodeOne(&reader, &buffer),
                JournalPayload.areQuotesWhole(buffer.readable, from: 1, inObjects: true),
                !buffer.readable.contains(where: { $0 < 0x20 || $0 == 0x7F }),
                String(validating: buffer.readable, as: UTF8.self) != nil
            else {
                unreadable += 1
                return
            }
            line(owner, buffer.readable)
        }
        return (number, unreadable)
    }

    /// `{"format":3,"collection":1,"items":[`
    private static func collection(ofHead line: UnsafeRawBufferPointer) -> CollectionNumber? {
        let start = "{\"format\":3,\"collection\":".utf8
        guard line.starts(with: start) else { return nil }
        let digits = line.dropFirst(start.count).prefix { $0 >= 0x30 && $0 <= 0x39 }
        let raw = UInt32(String(decoding: digits, as: UTF8.self))
        return raw.flatMap { $0 > 0 && $0 <= UInt32.max / 2 ? CollectionNumber($0) : nil }
    }
}
