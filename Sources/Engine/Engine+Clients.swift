import ChatCore
import ChatModel

/// ADMIN CLIENTS under way.
struct Census {
    /// In the order of the answer.
    let rows: [(key: ConnectionKey, fields: [KeyValue])]
    let more: Bool
    var loads: [ConnectionKey: ConnectionLoad] = [:]
    /// Loops that have not said what they know.
    var missing: Int
}

extension Engine {
    /// ADMIN CLIENTS: one page of connections, in the order of loops and slots; what waits is asked of their loops.
    func clients(_ page: Page, _ id: UInt64) -> Reply? {
        let after = page.after.flatMap(ConnectionKey.init(name:))
        var keys: [ConnectionKey] = []
        var more = false
        for loop in loops.indices {
            for slot in loops[loop].connections.indices where loops[loop].connections[slot].isOpen {
                let generation = loops[loop].connections[slot].generation
                let key = ConnectionKey(loop: loop, slot: slot, generation: generation)
                if let after, (key.loop, key.slot) <= (after.loop, after.slot) { continue }
                if keys.count == page.limit { more = true } else { keys.append(key) }
            }
        }
        let asked = loops.indices.filter { loop in keys.contains { Int($0.loop) == loop } }
        if asked.isEmpty { return .done([.number("n", 0), .flag("more", false)]) }
        censuses[id] = Census(rows: keys.map { ($0, fields(of: $0)) }, more: more, missing: asked.count)
        // At once: it tells nothing that could be undurable, and is not to be lost with what is.
        for loop in asked { loops[loop].ready.append(.census(id, keys.filter { Int($0.loop) == loop })) }
        return nil
    }

    /// A loop has said what waits for its connections.
    func counted(_ id: UInt64, _ loads: [ConnectionLoad]) {
        guard var census = censuses.removeValue(forKey: id) else { return }
        for load in loads { census.loads[load.key] = load }
        census.missing -= 1
        if census.missing > 0 {
            censuses[id] = census
            return
        }
        let rows = census.rows.compactMap { key, fields -> Row? in
            guard let load = census.loads[key] else { return nil }
            return Row("client", fields + [.number("waits", load.replies), .number("behind", load.behind)])
        }
        answer(id, .done(rows: rows, [.number("n", rows.count), .flag("more", census.more)]))
    }

    private func fields(of key: ConnectionKey) -> [KeyValue] {
        let connection = self.connection(key)
        var fields: [KeyValue] = [.word("id", key.name)]
        if let account = connection.account ?? connection.pending {
            fields.append(.word("user", content.state.handleText(account)))
        }
        if let uid = connection.operatorUID { fields.append(.number("uid", UInt64(uid))) }
        return fields + [
            .word("source", connection.source), .time("since", connection.openedAt),
            .number("subs", connection.subscriptions.count + connection.collections.count),
        ]
    }
}

extension ConnectionKey {
    /// As CLIENTS shows it: `0.12.3`.
    var name: String { "\(loop).\(slot).\(generation)" }

    /// Nil for what CLIENTS does not show.
    init?(name: String) {
        let parts = name.split(separator: "." as Character, omittingEmptySubsequences: false)
        guard parts.count == 3, let loop = UInt16(parts[0]), let slot = UInt32(parts[1]),
            let generation = UInt32(parts[2])
        else { return nil }
        self.init(loop: Int(loop), slot: Int(slot), generation: generation)
    }
}
