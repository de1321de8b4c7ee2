/// One thing that the operator brings in: a line of an export, or a message of a sample (protocol.md, The operator).
package struct ImportRecord: Sendable {
    /// Strings as they are, numbers and booleans as they are written.
    package let fields: [String: String]
    /// The object of an item, as it was written.
    package let json: [UInt8]
    /// What makes the repetition of a message harmless.
    package let nonce: UInt64?
    package init(fields: [String: String], json: [UInt8], nonce: UInt64?) {
        (self.fields, self.json, self.nonce) = (fields, json, nonce)
    }

    package subscript(key: String) -> String? { fields[key] }
}
