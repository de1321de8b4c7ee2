/// What came for one request: its rows, and the line that ended it (OK, ERR, ASK or BYE).
package struct Reply: Sendable, CustomStringConvertible {
    package let request: String
    package let rows: [ReceivedLine]
    package let final: ReceivedLine

    package var isOK: Bool { final.isOK }
    /// The code of the refusal; nil when it was not refused.
    package var code: String? { final.isRefusal ? final.code : nil }
    package subscript(key: String) -> String? { final[key] }
    package var seq: Int { final.seq }
    package var description: String { "\(request) -> \(final.raw)" }
}
