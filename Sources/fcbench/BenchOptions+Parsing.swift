extension BenchRequest {
    private enum Key: String, CaseIterable {
        case host, port, room, bytes, secs, msgs, drain, subs, window, rooms, members, rate, senders, inflight
        case serverPID = "server-pid"

        /// The modes that know this option; nil when all do.
        var modes: [String]? {
            switch self {
            case .subs: ["fan", "rate"]
            case .window: ["fan", "many"]
            case .rooms, .members: ["many"]
            case .rate: ["rate"]
            case .senders, .inflight: ["acked"]
            case .room: ["fan", "rate", "acked"]
            default: nil
            }
        }
    }

    private static let flags = ["help", "version", "json", "no-header"]
    private static let modes = ["fan", "many", "rate", "acked"]

    /// Reads the arguments without the program's name.
    init(_ arguments: [String]) throws(UsageError) {
        var (values, flags, mode): ([Key: String], Set<String>, String?) = ([:], [], nil)
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            guard argument.hasPrefix("--") else {
                if mode != nil { throw UsageError(text: "one mode at a time: \(argument)") }
                guard Self.modes.contains(argument) else { throw Self.unknown("mode", argument, among: Self.modes) }
                mode = argument
                continue
            }
            let parts = argument.dropFirst(2).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let name = String(parts[0])
            if Self.flags.contains(name) && parts.count == 1 {
                flags.insert(name)
            } else if let key = Key(rawValue: name) {
                guard let value = parts.count == 2 ? String(parts[1]) : rest.popFirst() else {
                    throw UsageError(text: "--\(name) needs a value")
                }
                if values.updateValue(value, forKey: key) != nil { throw UsageError(text: "--\(name) stands twice") }
            } else {
                throw Self.unknown(
                    "option",
                    "--\(name)",
                    among: (Key.allCases.map(\.rawValue) + Self.flags).map { "--\($0)" }
                )
            }
        }
        if flags.contains("help") {
            self = .help
        } else if flags.contains("version") {
            self = .version
        } else {
            guard let mode else { throw UsageError(text: "no mode: one of fan, many, rate, acked") }
            self = .run(try Self.options(mode, values, flags))
        }
    }

    private static func options(
        _ name: String,
        _ values: [Key: String],
        _ flags: Set<String>
    ) throws(UsageError) -> BenchOptions {
        for key in Key.allCases where values[key] != nil {
            if let modes = key.modes, !modes.contains(name) {
                throw UsageError(
                    text: "--\(key.rawValue) is an option of \(modes.joined(separator: ", ")), not of \(name)"
                )
            }
        }
        let number = { (key: Key, range: ClosedRange<Int>, usual: Int) throws(UsageError) -> Int in
            guard let text = values[key] else { return usual }
            guard let value = Int(text), range.contains(value) else {
                throw UsageError(
                    text: "--\(key.rawValue) is a number of \(range.lowerBound) ... \(range.upperBound): \(text)"
                )
            }
            return value
        }
        let quantity = { (key: Key, range: ClosedRange<Double>, usual: Double) throws(UsageError) -> Double in
            guard let text = values[key] else { return usual }
            guard let value = Double(text), range.contains(value) else {
                throw UsageError(
                    text: "--\(key.rawValue) is a number of \(range.lowerBound) ... \(range.upperBound): \(text)"
                )
            }
            return value
        }
        let mode: BenchMode
        switch name {
        case "fan":
            mode = .fan(subscribers: try number(.subs, 1...50_000, 100), window: try number(.window, 1...65_536, 256))
        case "many":
            mode = .many(
                rooms: try number(.rooms, 1...10_000, 50),
                members: try number(.members, 1...10_000, 20),
                window: try number(.window, 1...65_536, 2)
            )
        case "rate":
            mode = .rate(
                perSecond: try quantity(.rate, 0.1...1_000_000, 1000),
                subscribers: try number(.subs, 1...50_000, 100)
            )
        default:
            mode = .acked(senders: try number(.senders, 1...50_000, 64), inFlight: try number(.inflight, 1...256, 1))
        }
        if mode.connectionCount > 50_000 { throw UsageError(text: "more than 50000 connections") }
        var options = BenchOptions(mode: mode)
        options.host = values[.host] ?? options.host
        options.room = values[.room] ?? options.room
        guard options.room.hasPrefix("#"), !options.room.contains(" ") else {
            throw UsageError(text: "--room is a name as #lobby: \(options.room)")
        }
        options.port = UInt16(try number(.port, 1...65_535, 7700))
        options.byteCount = try number(.bytes, Payload.headerCount...4000, 100)
        options.seconds = try quantity(.secs, 0.1...86_400, options.seconds)
        options.drain = try quantity(.drain, 0.1...3600, options.drain)
        options.messages = UInt32(try number(.msgs, 1...Int(UInt32.max), Int(UInt32.max)))
        if values[.serverPID] != nil { options.serverPID = Int32(try number(.serverPID, 1...Int(Int32.max), 1)) }
        options.json = flags.contains("json")
        options.header = !flags.contains("no-header")
        return options
    }

    private static func unknown(_ kind: String, _ name: String, among known: [String]) -> UsageError {
        let nearest = known.min { distance($0, name) < distance($1, name) } ?? ""
        return UsageError(text: "unknown \(kind) \(name); the nearest is \(nearest)")
    }

    /// Insertions, deletions and exchanges that make one text the other (Levenshtein). O(n · m).
    private static func distance(_ a: String, _ b: String) -> Int {
        let (a, b) = (Array(a.utf8), Array(b.utf8))
        var row = Array(0...b.count)
        for i in 0..<a.count {
            var corner = row[0]
            row[0] = i + 1
            for j in 0..<b.count {
                let exchanged = corner + (a[i] == b[j] ? 0 : 1)
                corner = row[j + 1]
                row[j + 1] = min(exchanged, row[j] + 1, corner + 1)
            }
        }
        return row[b.count]
    }
}
