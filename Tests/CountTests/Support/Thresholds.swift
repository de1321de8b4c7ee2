import Foundation
import Testing

/// What `thresholds.json5` allows: for each measurement the most that may be counted, by name.
struct Thresholds {
    private static let path = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("thresholds.json5")

    private let measurement: String
    private let most: [String: Double]

    /// - Parameter measurement: a name on the outer level of the file.
    init(of measurement: String) throws {
        self.measurement = measurement
        let decoder = JSONDecoder()
        decoder.allowsJSON5 = true
        let all = try decoder.decode([String: [String: Double]].self, from: Data(contentsOf: Self.path))
        most = try #require(all[measurement], "Tests/CountTests/thresholds.json5 says nothing of \(measurement)")
    }

    /// Records an issue for everything of which there is more than allowed; what the file does not name may not be at
    /// all. Prints what was found.
    /// - Parameter explanation: for a name, who causes the count.
    func expect(
        _ found: [String: Double],
        sourceLocation: SourceLocation = #_sourceLocation,
        explanation: (String) -> String = { _ in "" }
    ) {
        for (name, count) in found.sorted(by: { $0.key < $1.key }) {
            let most = most[name] ?? 0
            print("counts: \(measurement): \(name) \(Self.text(count)), at most \(Self.text(most))")
            guard count > most else { continue }
            Issue.record(
                """
                \(measurement): \(name) is \(Self.text(count)); Tests/CountTests/thresholds.json5 allows \
                \(Self.text(most)). Make it less, or say there why it has to be more.\(explanation(name))
                """,
                sourceLocation: sourceLocation
            )
        }
    }

    private static func text(_ count: Double) -> String {
        count == count.rounded() ? "\(Int(count))" : String(format: "%.3f", count)
    }
}
