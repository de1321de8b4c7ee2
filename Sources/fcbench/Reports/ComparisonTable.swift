import Foundation

/// The results of several servers side by side: for each scenario and figure the medians, and for each server but the
/// first, in brackets, the first one's figure divided by its own.
struct ComparisonTable {
    /// A figure of a mode that is worth a row.
    private struct Figure {
        let title: String
        let key: String
        let digits: Int
        var scale = 1.0
        /// Whether a ratio says something.
        var compares = true
    }

    private static let cpu = Figure(title: "CPU s per million", key: "serverCPUPerMillion", digits: 3)
    private static let figures: [String: [Figure]] = [
        "fan": [cpu, Figure(title: "deliveries a second", key: "perSecond", digits: 0)],
        "many": [cpu, Figure(title: "deliveries a second", key: "perSecond", digits: 0)],
        "rate": [
            cpu, Figure(title: "p50, microseconds", key: "p50Micros", digits: 0),
            Figure(title: "p99, microseconds", key: "p99Micros", digits: 0),
            Figure(title: "memory grown, MB", key: "serverGrowthKiB", digits: 1, scale: 1 / 1024, compares: false),
        ],
        "acked": [
            Figure(title: "sends a second", key: "perSecond", digits: 0),
            Figure(title: "p99, microseconds", key: "p99Micros", digits: 0),
        ],
        "idle": [
            Figure(title: "KiB for a connection", key: "kibPerConnection", digits: 1),
            Figure(title: "memory when empty, MB", key: "emptyKiB", digits: 1, scale: 1 / 1024),
            Figure(title: "CPU when silent, %", key: "serverLoad", digits: 2, scale: 100),
        ],
        "storm": [
            Figure(title: "CPU ms for each", key: "serverCPUMillis", digits: 3),
            Figure(title: "resumed", key: "resumed", digits: 0, compares: false),
        ],
    ]

    /// The values of one cell's runs.
    private struct Runs {
        var values: [Double] = []
        var isSound = true
    }

    private var servers: [String] = []
    private var rows: [(name: String, figure: Figure)] = []
    private var cells: [String: [String: Runs]] = [:]

    /// Takes lines of words `key=value`; those without `scenario=`, `server=` and a known `mode=` are skipped. Scenarios
    /// and servers keep the order in which they come first.
    init(lines: some Sequence<Substring>) {
        for line in lines {
            var words: [Substring: Substring] = [:]
            for word in line.split(separator: " ") {
                guard let equals = word.firstIndex(of: "=") else { continue }
                words[word[..<equals]] = word[word.index(after: equals)...]
            }
            guard let scenario = words["scenario"], let server = words["server"], let mode = words["mode"],
                let figures = Self.figures[String(mode)]
            else { continue }
            if !servers.contains(String(server)) { servers.append(String(server)) }
            for figure in figures {
                let row = "\(scenario): \(figure.title)"
                if cells[row] == nil { rows.append((row, figure)) }
                var runs = cells[row]?[String(server)] ?? Runs()
                if let value = words[Substring(figure.key)].flatMap({ Double($0) }) {
                    runs.values.append(value * figure.scale)
                }
                if words["sound"] == "0" { runs.isSound = false }
                cells[row, default: [:]][String(server)] = runs
            }
        }
    }

    /// The table for people, with the column names first; the rows of a scenario stay together.
    var text: String {
        if rows.isEmpty { return "no results\n" }
        var table = [[""] + servers]
        for row in rows { table.append([row.name] + servers.map { cell(row.name, row.figure, $0) }) }
        let widths = table[0].indices.map { column in table.map { $0[column].count }.max() ?? 0 }
        let lines = table.map { cells in
            cells.enumerated().map { column, cell in
                let gap = String(repeating: " ", count: widths[column] - cell.count)
                return column == 0 ? cell + gap : gap + cell
            }.joined(separator: "  ")
        }
        let note = "Medians. In brackets: \(servers[0]) divided by this server. !: something was lost or failed."
        return (lines + [note]).map { "\($0)\n" }.joined()
    }

    private func cell(_ row: String, _ figure: Figure, _ server: String) -> String {
        guard let runs = cells[row]?[server], let value = Self.median(runs.values) else { return "-" }
        let text = String(format: "%.\(figure.digits)f", value) + (runs.isSound ? "" : "!")
        guard figure.compares, server != servers[0], value != 0,
            let first = cells[row]?[servers[0]].flatMap({ Self.median($0.values) })
        else { return text }
        return text + String(format: " (%.2f)", first / value)
    }

    /// The value in the middle, or the mean of the two there; nil when there are none.
    static func median(_ values: [Double]) -> Double? {
        if values.isEmpty { return nil }
        let sorted = values.sorted()
        let middle = sorted.count / 2
        return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
    }
}
