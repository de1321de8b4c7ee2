/// `fcc items ACTION …`: each action is one request, but for those that follow a collection or read standard input.
enum ItemWords {
    static let spec = CommandSpec(
        name: "items",
        usage: """
            items list COLL [--where TEXT]
              items get COLL ID
              items put COLL OBJECT|- [--id ID] [--rev REV]
              items delete COLL ID [--rev REV]
              items watch COLL [--since REV]
            """,
        summary: "items of items/NAME, or of #ROOM/NAME; - puts each line of standard input",
        words: 2...3
    )

    /// The options of each action.
    private static let options = [
        "list": ["where"], "get": [], "put": ["id", "rev"], "delete": ["rev"], "watch": ["since"],
    ]

    /// - Parameters:
    ///   - words: behind `items`.
    ///   - values: the options given.
    static func command(_ words: [String], _ values: [String: String]) throws(UsageFault) -> Invocation.Command {
        let (action, collection) = (words[0], words[1])
        guard let own = options[action] else {
            let nearest = NearestName.of(action, among: options.keys.sorted())
            throw UsageFault("unknown \"items \(action)\"" + (nearest.map { "; did you mean \($0)?" } ?? ""))
        }
        for name in ["where", "id", "rev", "since"] where values[name] != nil && !own.contains(name) {
            throw UsageFault("--\(name) does not go with items \(action)")
        }
        guard words.count == (action == "list" || action == "watch" ? 2 : 3) else {
            throw UsageFault("usage: fcc \(spec.usage)")
        }
        guard collection.utf8.contains(0x2F) else {
            throw UsageFault(
                "\"\(collection)\" names no collection: items/NAME, or #ROOM/NAME (in quotes, for the shell)"
            )
        }
        for name in ["rev", "since"] {
            if let value = values[name], WordList.number(value) == nil {
                throw UsageFault("--\(name) takes a number, not \"\(value)\"")
            }
        }
        switch action {
        case "watch": return .watchItems(collection: collection, since: values["since"].flatMap(WordList.number))
        case "put" where words[2] == "-":
            if !values.keys.filter({ $0 == "id" || $0 == "rev" }).isEmpty {
                throw UsageFault("--id and --rev go with one item, not with standard input")
            }
            return .putItems(collection: collection)
        default: return .request(try request(action, collection, words.count > 2 ? words[2] : "", values))
        }
    }

    private static func request(
        _ action: String,
        _ collection: String,
        _ word: String,
        _ values: [String: String]
    ) throws(UsageFault) -> RequestCommand {
        let given = ["where", "id", "rev"].compactMap { key in values[key].map { Request.Option(key, $0) } }
        do {
            switch action {
            case "list":
                let request = try Request("ITEMS", options: given, arguments: [collection])
                return RequestCommand(request: request, pages: .row("rev"), outcome: .rows)
            case "get":
                let request = try Request("ITEM", arguments: [collection, word])
                return RequestCommand(request: request, outcome: .value("json"))
            case "delete":
                return RequestCommand(request: try Request("DEL-ITEM", options: given, arguments: [collection, word]))
            default:
                let request = try Request("PUT-ITEM", options: given, arguments: [collection], rest: oneLine(word))
                return RequestCommand(request: request, outcome: .value("id"))
            }
        } catch {
            throw UsageFault(Talk.text(of: error))
        }
    }

    /// An object on one line: no string of JSON has a line break in it.
    static func oneLine(_ object: String) -> String {
        String(String.UnicodeScalarView(object.unicodeScalars.map { $0 == "\n" || $0 == "\r" ? " " : $0 }))
    }
}

/// What `fcc items watch` and `fcc items put COLL -` ask for.
package enum ItemRequest {
    /// One line of standard input as an item.
    package static func put(_ object: String, in collection: String) throws(Request.Fault) -> Request {
        try Request("PUT-ITEM", arguments: [collection], rest: ItemWords.oneLine(object))
    }

    /// From behind `since`, or all of it.
    package static func subscribe(to collection: String, since: UInt64?) throws(Request.Fault) -> Request {
        try Request("SUB", options: since.map { [.init("since", "\($0)")] } ?? [], arguments: [collection])
    }
}
