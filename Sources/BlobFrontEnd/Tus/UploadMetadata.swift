import ChatModel

/// `Upload-Metadata`: keys, each with a value in base64 or none, with commas between (tus 1.0, creation).
struct UploadMetadata {
    private var values: [String: String] = [:]

    /// - Throws: `Refusal` for what is malformed, twice there, no UTF-8 or too long.
    init(_ text: String) throws(Refusal) {
        let field = HTTPFields.Name.uploadMetadata.rawValue
        if text.utf8.count > PartialUpload.metadataLimit {
            let details: [KeyValue] = [.number("limit", PartialUpload.metadataLimit), .number("got", text.utf8.count)]
            throw Refusal(.tooLong, field: field, details: details, "the metadata are too long, in bytes")
        }
        guard text.utf8.contains(where: { $0 != 0x20 }) else { return }
        for part in text.utf8.split(separator: 0x2C, omittingEmptySubsequences: false) {
            let words = part.split(separator: 0x20)
            guard let key = words.first, words.count <= 2,
                let bytes = words.count == 2 ? Base64.bytes(words[1]) : [],
                let value = String(validating: bytes, as: UTF8.self), !bytes.contains(0)
            else {
                throw .badArg(field, "keys, each with a blank and its value in base64, with commas between")
            }
            let name = String(decoding: key, as: UTF8.self)
            guard values.updateValue(value, forKey: name) == nil else {
                throw .badArg(field, "a key is there twice")
            }
        }
    }

    /// The value of the first of these keys that is there with one.
    subscript(keys: String...) -> String? {
        for key in keys { if let value = values[key], !value.isEmpty { return value } }
        return nil
    }
}
