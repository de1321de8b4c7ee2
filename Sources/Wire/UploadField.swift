import ChatModel

/// What is said of a file before its bytes come, on the line protocol and by HTTP alike.
package enum UploadField {
    /// Bytes of a name.
    private static let nameLimit = 255
    /// The name of what was given none.
    package static let noName = "file"

    /// `type/subtype` (RFC 6838 section 4.2), as lower case.
    package static func type(_ text: String) throws(Refusal) -> String {
        let text = text.lowercased()
        let parts = text.utf8.split(separator: 0x2F, omittingEmptySubsequences: false)
        let isSound = parts.count == 2 && parts.allSatisfy { (1...64).contains($0.count) && $0.allSatisfy(isTypeByte) }
        guard isSound else { throw .badArg("type", "a media type without parameters, such as image/png") }
        return text
    }

    package static func name(_ name: String) throws(Refusal) -> String {
        if name.isEmpty { throw .badArg("name", "an empty name; leave it out") }
        let count = name.utf8.count
        if count > nameLimit {
            let details: [KeyValue] = [.number("limit", nameLimit), .number("got", count)]
            throw Refusal(.tooLong, field: "name", details: details, "the name is too long, in bytes")
        }
        return name
    }

    package static func hash(_ text: String) throws(Refusal) -> ContentHash {
        guard let hash = ContentHash(hex: text) else { throw .badArg("sha256", "64 hexadecimal digits") }
        return hash
    }

    /// The conversation that a file is meant for.
    package static func target(_ bytes: UnsafeRawBufferPointer) -> Result<ConversationTarget, Refusal> {
        if bytes.contains(where: { $0 <= 0x20 || $0 == 0x7F }) {
            return .failure(.badArg("conv", "a conversation has no blanks"))
        }
        guard bytes.first == 0x23 || bytes.first == 0x40 else {
            return .failure(.badArg("conv", "a conversation is #name, or @user for one to one"))
        }
        do throws(Refusal) {
            var request = try Request(.putBlob, WordScanner(bytes), named: "PUT-BLOB", allowing: [])
            return .success(try request.conversation())
        } catch { return .failure(error) }
    }

    package static func target(_ text: String) throws(Refusal) -> ConversationTarget {
        var copy = text
        return try copy.withUTF8 { target(UnsafeRawBufferPointer($0)) }.get()
    }

    private static func isTypeByte(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x61...0x7A, 0x30...0x39, 0x2B, 0x2D, 0x2E, 0x5F, 0x21, 0x23, 0x24, 0x26, 0x5E: true
        default: false
        }
    }
}
