/// An answer of the blob port.
package struct HTTPAnswer: Sendable {
    package let status: Int
    /// In the order they came, names in lower case.
    package let fields: [(name: String, value: String)]
    package let body: [UInt8]

    /// The value of the one field of this name; nil when there is none, or more than one.
    package subscript(name: String) -> String? {
        let found = fields.filter { $0.name == name }
        return found.count == 1 ? found[0].value : nil
    }
}
