import Bytes
import ChatModel

/// ADMIN IMPORT: one object of an import, and what makes its repetition harmless.
extension CommandParser {
    static func importRecord(_ request: inout Request, _ hashers: Hashers) throws(Refusal) -> ImportRecord {
        var nonce: UInt64?
        if let value = request[.nonce] {
            nonce = value.withBytes { (1...64).contains($0.count) ? hashers.nonce($0) : nil }
            guard nonce != nil else { throw .badArg("nonce", "1 to 64 bytes") }
        }
        // No argument stands in front of it, so that the blanks are passed already.
        let rest = UnsafeRawBufferPointer(rebasing: request.words.line[request.words.at...])
        request.words.at = request.words.line.count
        if rest.isEmpty { throw .badArg("json", "the object is missing") }
        do throws(JSONFault) {
            let (fields, json) = try ImportText.fields(rest)
            return ImportRecord(fields: fields, json: json, nonce: nonce)
        } catch {
            throw .badArg("json", "at byte \(error.offset): \(error.reason)")
        }
    }
}

/// Reads the objects of an import.
package enum ImportText {
    /// The fields of one object: strings as they are, numbers and booleans as they are written, an object under `json` as
    /// it stands; lists and what is null are passed over. O(n), never deep.
    package static func fields(
        _ bytes: UnsafeRawBufferPointer
    ) throws(JSONFault) -> (fields: [String: String], json: [UInt8]) {
        var reader = JSONReader(bytes)
        let found = try fields(&reader)
        try reader.end()
        return found
    }

    package static func fields(_ reader: inout JSONReader) throws(JSONFault) -> (
        fields: [String: String], json: [UInt8]
    ) {
        var fields: [String: String] = [:]
        var json: [UInt8] = []
        try reader.object { (reader, key) throws(JSONFault) in
            if reader.isAtString {
                fields[key] = try reader.string()
                return
            }
            let raw = try reader.raw()
            if key == "json", raw.first == 0x7B {
                json = Array(raw)
            } else if let first = raw.first, first != 0x7B, first != 0x5B, !raw.elementsEqual("null".utf8) {
                fields[key] = String(decoding: raw, as: UTF8.self)
            }
        }
        return (fields, json)
    }
}
