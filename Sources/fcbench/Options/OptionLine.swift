/// A command line taken apart: its mode, its options with values, its flags.
struct OptionLine {
    enum Key: String, CaseIterable {
        case host, port, proto, room, bytes, secs, msgs, drain, subs, window, rooms, members, rate, senders, inflight
        case stalled, conns, conc, from
        case serverPID = "server-pid"

        /// The modes that know this option; nil when all do that load a server.
        var modes: [String]? {
            switch self {
            case .subs, .stalled: ["fan", "rate"]
            case .window: ["fan", "many"]
            case .rooms, .members: ["many"]
            case .rate: ["rate"]
            case .senders, .inflight: ["acked"]
            case .conns: ["idle", "storm"]
            case .room: ["fan", "rate", "acked"]
            case .bytes, .msgs, .drain: ["fan", "many", "rate", "acked"]
            case .from: ["table"]
            default: nil
            }
        }
    }

    private(set) var values: [Key: String] = [:]
    private(set) var flags: Set<String> = []
    private(set) var mode: String?

    /// Reads the arguments without the program's name.
    init(_ arguments: [String]) throws(UsageError) {
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            guard argument.hasPrefix("--") else {
                if mode != nil { throw UsageError(text: "one mode at a time: \(argument)") }
                guard BenchRequest.modes.contains(argument) else {
                    throw Self.unknown("mode", argument, among: BenchRequest.modes)
                }
                mode = argument
                continue
            }
            let parts = argument.dropFirst(2).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let name = String(parts[0])
            if BenchRequest.flags.contains(name) && parts.count == 1 {
                flags.insert(name)
            } else if let key = Key(rawValue: name) {
                guard let value = parts.count == 2 ? String(parts[1]) : rest.popFirst() else {
                    throw UsageError(text: "--\(name) needs a value")
                }
                if values.updateValue(value, forKey: key) != nil { throw UsageError(text: "--\(name) stands twice") }
            } else {
                let known = (Key.allCases.map(\.rawValue) + BenchRequest.flags).map { "--\($0)" }
                throw Self.unknown("option", "--\(name)", among: known)
            }
        }
    }

    /// Refuses options that `mode` does not know.
    func check(_ mode: String) throws(UsageError) {
        for key in Key.allCases where values[key] != nil {
            let modes = key.modes ?? BenchRequest.modes.filter { $0 != "table" }
            try Self.check("--\(key.rawValue)", modes, mode)
        }
        for flag in ["resume", "no-sign-in"] where flags.contains(flag) { try Self.check("--\(flag)", ["storm"], mode) }
    }

    private static func check(_ option: String, _ modes: [String], _ mode: String) throws(UsageError) {
        if modes.contains(mode) { return }
        throw UsageError(text: "\(option) is an option of \(modes.joined(separator: ", ")), not of \(mode)")
    }

    /// An option's whole number, or the usual one.
    func number(_ key: Key, _ range: ClosedRange<Int>, _ usual: Int) throws(UsageError) -> Int {
        guard let text = values[key] else { return usual }
        guard let value = Int(text), range.contains(value) else { throw Self.notInRange(key, range, text) }
        return value
    }

    /// An option's number, or the usual one.
    func quantity(_ key: Key, _ range: ClosedRange<Double>, _ usual: Double) throws(UsageError) -> Double {
        guard let text = values[key] else { return usual }
        guard let value = Double(text), range.contains(value) else { throw Self.notInRange(key, range, text) }
        return value
    }

    private static func notInRange<Number>(_ key: Key, _ range: ClosedRange<Number>, _ text: String) -> UsageError {
        UsageError(text: "--\(key.rawValue) is a number of \(range.lowerBound) ... \(range.upperBound): \(text)")
    }

    /// Says what is not known, and what comes nearest to it.
    static func unknown(_ kind: String, _ name: String, among known: [String]) -> UsageError {
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
