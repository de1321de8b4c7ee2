import Foundation

/// What callgrind wrote down: instructions of the program itself, and how often functions were called, by whom
/// (https://valgrind.org/docs/manual/cl-format.html).
struct CallProfile {
    /// A function that was called, and the one that called it.
    struct Edge: Hashable {
        let caller: String
        let callee: String
    }

    /// Instructions in the program's own code, with what is linked into it; without the libraries it loads.
    private(set) var ownInstructions = 0
    private(set) var edges: [Edge: Int] = [:]

    private let program: String
    private var names: [String: [Substring: String]] = [:]
    private var function = ""
    private var callee = ""
    private var isOwn = false
    /// The next line is what a call cost, which its callee's own lines tell already.
    private var isAfterCall = false

    /// - Parameter program: the file name of the program.
    init(_ text: String, of program: String) {
        self.program = program
        for line in text.split(separator: "\n") { read(line) }
    }

    private mutating func read(_ line: Substring) {
        if let first = line.utf8.first,
            first == UInt8(ascii: "+") || first == UInt8(ascii: "-") || (48...57).contains(first)
        {
            if !isAfterCall, isOwn { ownInstructions += Int(line.drop { $0 != " " }.dropFirst()) ?? 0 }
            isAfterCall = false
            return
        }
        guard let equals = line.utf8.firstIndex(of: UInt8(ascii: "=")) else { return }
        let value = line[line.utf8.index(after: equals)...]
        switch line[..<equals] {
        case "fn": function = name(value, "fn")
        case "cfn": callee = name(value, "fn")
        case "ob": isOwn = name(value, "ob").hasSuffix("/" + program)
        case "cob": _ = name(value, "ob")
        case "calls":
            edges[Edge(caller: function, callee: callee), default: 0] += Int(value.prefix { $0 != " " }) ?? 0
            isAfterCall = true
        default: break
        }
    }

    /// Names are written once, with a number in front, and are a number afterwards.
    private mutating func name(_ value: Substring, _ kind: String) -> String {
        guard let end = value.firstIndex(of: ")") else { return String(value) }
        let (number, rest) = (value[...end], value[value.index(after: end)...].drop { $0 == " " })
        if !rest.isEmpty { names[kind, default: [:]][number] = String(rest) }
        return names[kind]?[number] ?? ""
    }

    /// Calls of functions that `isWanted`, from those that are not such themselves.
    func calls(_ isWanted: (String) -> Bool) -> Int { wanted(isWanted).reduce(0) { $0 + $1.value } }

    /// Who makes these calls, in words, the most frequent first, by names that `swift demangle` makes readable.
    func callers(_ isWanted: (String) -> Bool) -> String {
        let most = wanted(isWanted).sorted { ($1.value, $0.key.caller) < ($0.value, $1.key.caller) }.prefix(20)
        return most.map { "\n  \($0.value) × \($0.key.callee) from \($0.key.caller)" }.joined()
    }

    private func wanted(_ isWanted: (String) -> Bool) -> [Edge: Int] {
        edges.filter { isWanted($0.key.callee) && !isWanted($0.key.caller) }
    }
}
