import Bytes
import Wire

/// What `fcd import` reads: a list of messages, `[{"text":"Hello","name":"ada"}, …]`; the sample of a chat,
/// `{"messages":{"KEY":{"text":…,"name":…}, …}}`; or the lines of `fcd export`.
struct ImportFile {
    struct Record {
        /// From 1.
        let line: Int
        let fields: [String: String]
        /// The object as it stands; nil for what is put together from the fields.
        let whole: String?
    }

    private(set) var records: [Record] = []

    /// - Throws: `Failure` naming the line that is wrong.
    init(_ bytes: UnsafeRawBufferPointer) throws(Failure) {
        guard String(validating: bytes, as: UTF8.self) != nil else { throw .configuration("this is no UTF-8 text") }
        let start = bytes.firstIndex { ![0x20, 0x09, 0x0A, 0x0D].contains($0) } ?? bytes.count
        guard start < bytes.count else { throw .configuration("there is nothing in it") }
        if bytes[start] == 0x5B {
            try readSample(bytes) { (reader, body) throws(JSONFault) in try reader.array(body) }
        } else if Self.isSample(bytes) {
            try readSample(bytes) { (reader, body) throws(JSONFault) in
                try reader.object { (reader, key) throws(JSONFault) in
                    if key != "messages" {
                        _ = try reader.raw()
                        return
                    }
                    try reader.object { (reader, _) throws(JSONFault) in try body(&reader) }
                }
            }
        } else {
            try readLines(bytes)
        }
    }

    /// Whether the first object has `messages`, with objects in it.
    private static func isSample(_ bytes: UnsafeRawBufferPointer) -> Bool {
        var (reader, isSample) = (JSONReader(bytes), false)
        _ = try? reader.object { (reader, key) throws(JSONFault) in
            if try reader.raw().first == 0x7B, key == "messages" { isSample = true }
        }
        return isSample
    }

    private mutating func readSample(
        _ bytes: UnsafeRawBufferPointer,
        _ each: (
            inout JSONReader, (inout JSONReader) throws(JSONFault) -> Void
        ) throws(JSONFault) -> Void
    ) throws(Failure) {
        var reader = JSONReader(bytes)
        var found: [Record] = []
        var (counted, lines) = (0, 1)
        func line(_ offset: Int) -> Int {
            while counted < min(offset, bytes.count) {
                if bytes[counted] == 0x0A { lines += 1 }
                counted += 1
            }
            return lines
        }
        do throws(JSONFault) {
            try each(&reader) { (reader) throws(JSONFault) in
                let (fields, _) = try ImportText.fields(&reader)
                guard let text = fields["text"], let name = fields["name"] else {
                    throw reader.fault("a message of a sample has a text and a name")
                }
                found.append(Record(line: line(reader.offset), fields: ["text": text, "name": name], whole: nil))
            }
            try reader.end()
        } catch {
            throw .configuration("line \(line(error.offset)): \(error.reason)")
        }
        records = found
    }

    private mutating func readLines(_ bytes: UnsafeRawBufferPointer) throws(Failure) {
        var (at, number) = (0, 0)
        while at < bytes.count {
            let end = LineSplitter.lineEnd(in: bytes, from: at) ?? bytes.count
            let stop = end > at && bytes[end - 1] == 0x0D ? end - 1 : end
            let line = UnsafeRawBufferPointer(rebasing: bytes[at..<stop])
            (at, number) = (end + 1, number + 1)
            if line.allSatisfy({ $0 == 0x20 || $0 == 0x09 }) { continue }
            let fields: [String: String]
            do throws(JSONFault) { (fields, _) = try ImportText.fields(line) } catch {
                throw .configuration("line \(number): byte \(error.offset): \(error.reason)")
            }
            let isMessage = fields["kind"] == nil || fields["kind"] == "message"
            guard fields["kind"] != nil || fields["text"] != nil && fields["name"] != nil else {
                throw .configuration("line \(number): neither a line of fcd export nor a message with text and name")
            }
            let whole = isMessage ? nil : String(decoding: line, as: UTF8.self)
            records.append(Record(line: number, fields: fields, whole: whole))
        }
    }
}
