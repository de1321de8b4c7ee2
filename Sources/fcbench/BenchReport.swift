import Foundation

/// What a run came to: one row of the table, or one JSON object.
struct BenchReport: Codable, Equatable {
    var mode: String
    var connections: Int
    var bytes: Int
    var seconds: Double
    var sent: Int
    /// OKs of sends.
    var acknowledged: Int
    /// Deliveries that came for the first time; of acked: acknowledgements.
    var deliveries: Int
    var perSecond: Double
    var p50Micros: Double
    var p99Micros: Double
    var p999Micros: Double
    var maxMicros: Double
    var lost: Int
    var doubled: Int
    var disordered: Int
    /// Messages of somebody else in our rooms; no fault of the server's.
    var foreign: Int
    /// ERR replies to sends.
    var refused: Int
    var closed: Int
    /// CPU seconds of the server for a million deliveries; nil without --server-pid, as the next two.
    var serverCPUPerMillion: Double?
    /// Share of one CPU the server used.
    var serverLoad: Double?
    var serverResidentKiB: Int?
    /// Share of one CPU the generator used: near 1 it was the generator that limited the rate.
    var generatorLoad: Double

    /// Nothing lost, doubled, out of order or refused, and no connection broken.
    var isSound: Bool {
        lost == 0 && doubled == 0 && disordered == 0 && refused == 0 && closed == 0 && acknowledged == sent
    }

    /// What is wrong, in words.
    func faults(first: String?) -> String {
        let counts = [
            ("deliveries lost", lost), ("doubled", doubled), ("out of order", disordered), ("sends refused", refused),
            ("connections closed", closed), ("sends not acknowledged", max(0, sent - acknowledged)),
        ]
        let words = counts.filter { $0.1 > 0 }.map { "\($0.1) \($0.0)" }.joined(separator: ", ")
        return "\(mode): \(words)" + (first.map { "; first: \($0)" } ?? "")
    }

    var json: String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys]
        guard let data = try? encoder.encode(self) else { return "{}" }
        return String(decoding: data, as: UTF8.self)
    }

    static let header = row([
        "mode", "conns", "deliv/s", "p50 us", "p99 us", "p99.9 us", "max us", "lost", "double", "order", "cpu-s/M",
        "RSS MB",
        "server", "self",
    ])

    var row: String {
        Self.row([
            mode, String(connections), Self.fixed(perSecond, 0), Self.fixed(p50Micros, 0), Self.fixed(p99Micros, 0),
            Self.fixed(p999Micros, 0), Self.fixed(maxMicros, 0), String(lost), String(doubled), String(disordered),
            serverCPUPerMillion.map { Self.fixed($0, 3) } ?? "-",
            serverResidentKiB.map { Self.fixed(Double($0) / 1024, 1) } ?? "-",
            serverLoad.map { Self.fixed($0 * 100, 0) + "%" } ?? "-", Self.fixed(generatorLoad * 100, 0) + "%",
        ])
    }

    private static func row(_ cells: [String]) -> String {
        let padded = cells.enumerated().map { index, cell in
            let gap = String(repeating: " ", count: max(0, (index == 0 ? 6 : 9) - cell.count))
            return index == 0 ? cell + gap : gap + cell
        }
        return padded.joined(separator: " ")
    }

    private static func fixed(_ value: Double, _ digits: Int) -> String { String(format: "%.\(digits)f", value) }
}
