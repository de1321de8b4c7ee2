import ChatModel

/// What a refused action says, as `CODE field`, or `taken`.
package func refused(_ body: () throws -> Void) rethrows -> String {
    do {
        try body()
        return "taken"
    } catch let refusal as Refusal {
        return refusal.code.rawValue + (refusal.field.map { " " + $0 } ?? "")
    }
}
