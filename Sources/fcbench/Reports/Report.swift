import Foundation

/// What a run came to: one row of a table, one JSON object, or words `key=value`.
protocol Report: Encodable {
    /// The table's columns: heading and cell.
    var columns: [(heading: String, cell: String)] { get }
    /// Whether nothing went wrong.
    var isSound: Bool { get }
    /// What is wrong, in words; `first` is the first thing that was noticed.
    func faults(first: String?) -> String
}

extension Report {
    var header: String { Self.row(columns.map(\.heading)) }
    var row: String { Self.row(columns.map(\.cell)) }

    func text(_ form: ReportForm, header wanted: Bool) -> String {
        switch form {
        case .table: wanted ? "\(header)\n\(row)" : row
        case .json: json
        case .raw: raw
        }
    }

    var json: String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys]
        guard let data = try? encoder.encode(self) else { return "{}" }
        return String(decoding: data, as: UTF8.self)
    }

    /// The stored values that are there, in their order, and `sound=1` or 0.
    var raw: String {
        var words: [String] = []
        for case (let key?, let value) in Mirror(reflecting: self).children {
            let mirror = Mirror(reflecting: value)
            guard let value = mirror.displayStyle == .optional ? mirror.children.first?.value : value else { continue }
            words.append("\(key)=\((value as? Double).map { String(format: "%.5f", $0) } ?? "\(value)")")
        }
        return (words + ["sound=\(isSound ? 1 : 0)"]).joined(separator: " ")
    }

    static func row(_ cells: [String]) -> String {
        let padded = cells.enumerated().map { index, cell in
            let gap = String(repeating: " ", count: max(0, (index == 0 ? 6 : 9) - cell.count))
            return index == 0 ? cell + gap : gap + cell
        }
        return padded.joined(separator: " ")
    }

    static func fixed(_ value: Double, _ digits: Int) -> String { String(format: "%.\(digits)f", value) }
    static func fixed(_ value: Double?, _ digits: Int) -> String { value.map { fixed($0, digits) } ?? "-" }
    static func percent(_ share: Double?) -> String { share.map { fixed($0 * 100, 0) + "%" } ?? "-" }
    static func megabytes(_ kibibytes: Int?) -> String { fixed(kibibytes.map { Double($0) / 1024 }, 1) }

    /// The counts that are not zero, in words.
    static func words(_ counts: [(String, Int)], first: String?) -> String {
        let words = counts.filter { $0.1 > 0 }.map { "\($0.1) \($0.0)" }.joined(separator: ", ")
        return words + (first.map { "; first: \($0)" } ?? "")
    }
}
