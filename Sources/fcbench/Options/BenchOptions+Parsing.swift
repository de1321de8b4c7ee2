extension BenchRequest {
    static let flags = ["help", "version", "json", "raw", "no-header", "resume", "no-sign-in"]
    static let modes = ["fan", "many", "rate", "acked", "idle", "storm", "table"]

    /// Reads the arguments without the program's name.
    init(_ arguments: [String]) throws(UsageError) {
        let line = try OptionLine(arguments)
        if line.flags.contains("help") {
            self = .help
        } else if line.flags.contains("version") {
            self = .version
        } else {
            guard let mode = line.mode else {
                throw UsageError(text: "no mode: one of \(Self.modes.joined(separator: ", "))")
            }
            try line.check(mode)
            if mode == "table" {
                guard let file = line.values[.from] else { throw UsageError(text: "table needs --from FILE") }
                self = .table(file: file)
            } else {
                self = .run(try Self.options(mode, line))
            }
        }
    }

    private static func options(_ name: String, _ line: OptionLine) throws(UsageError) -> BenchOptions {
        let mode = try mode(name, line)
        if mode.connectionCount > 50_000 { throw UsageError(text: "more than 50000 connections") }
        var options = BenchOptions(mode: mode)
        if let text = line.values[.proto] {
            guard let kind = ServerKind(rawValue: text) else {
                throw OptionLine.unknown("protocol", text, among: ServerKind.allCases.map(\.rawValue))
            }
            options.kind = kind
        }
        options.host = line.values[.host] ?? options.host
        options.room = line.values[.room] ?? options.room
        guard options.room.hasPrefix("#"), !options.room.contains(" ") else {
            throw UsageError(text: "--room is a name as #lobby: \(options.room)")
        }
        options.port = UInt16(try line.number(.port, 1...65_535, 7700))
        options.byteCount = try line.number(.bytes, Payload.headerCount...4000, 100)
        options.crowd = try line.number(.conc, 1...4096, options.crowd)
        options.seconds = try line.quantity(.secs, 0.1...86_400, name == "storm" ? 120 : options.seconds)
        options.drain = try line.quantity(.drain, 0.1...3600, options.drain)
        options.messages = UInt32(try line.number(.msgs, 1...Int(UInt32.max), Int(UInt32.max)))
        if line.values[.serverPID] != nil {
            options.serverPID = Int32(try line.number(.serverPID, 1...Int(Int32.max), 1))
        }
        if line.flags.contains("json") { options.form = .json }
        if line.flags.contains("raw") { options.form = .raw }
        options.header = !line.flags.contains("no-header")
        try check(options)
        return options
    }

    private static func mode(_ name: String, _ line: OptionLine) throws(UsageError) -> BenchMode {
        switch name {
        case "fan":
            let subscribers = try line.number(.subs, 1...50_000, 100)
            return .fan(
                subscribers: subscribers,
                window: try line.number(.window, 1...65_536, 256),
                stalled: try stalled(line, of: subscribers)
            )
        case "many":
            return .many(
                rooms: try line.number(.rooms, 1...10_000, 50),
                members: try line.number(.members, 1...10_000, 20),
                window: try line.number(.window, 1...65_536, 2)
            )
        case "rate":
            let subscribers = try line.number(.subs, 1...50_000, 100)
            return .rate(
                perSecond: try line.quantity(.rate, 0.1...1_000_000, 1000),
                subscribers: subscribers,
                stalled: try stalled(line, of: subscribers)
            )
        case "acked":
            return .acked(
                senders: try line.number(.senders, 1...50_000, 64),
                inFlight: try line.number(.inflight, 1...256, 1)
            )
        case "idle": return .idle(connections: try line.number(.conns, 1...50_000, 1000))
        default:
            return .storm(
                connections: try line.number(.conns, 1...50_000, 3000),
                resume: line.flags.contains("resume"),
                signIn: !line.flags.contains("no-sign-in")
            )
        }
    }

    private static func stalled(_ line: OptionLine, of subscribers: Int) throws(UsageError) -> Int {
        let stalled = try line.number(.stalled, 0...50_000, 0)
        if stalled >= subscribers {
            throw UsageError(text: "--stalled \(stalled): nobody of \(subscribers) would read")
        }
        return stalled
    }

    /// What the other server cannot do.
    private static func check(_ options: BenchOptions) throws(UsageError) {
        let (traits, name) = (options.kind.adapter.traits, options.kind.rawValue)
        if case .acked = options.mode, !traits.stores {
            throw UsageError(text: "acked is not for \(name), which stores nothing")
        }
        if options.byteCount > traits.textLimit {
            throw UsageError(text: "--bytes is at most \(traits.textLimit) for \(name): \(options.byteCount)")
        }
        if options.mode.membersPublish && options.mode.subscribersPerRoom == 1 && !traits.echoes {
            throw UsageError(text: "--members is at least 2 for \(name), where nobody hears himself")
        }
    }
}
