/// `cat.png  43% [#####·····] 1.2 of 2.8 MB  0.4 MB/s`, as wide as there is room.
package struct ProgressBar: Sendable {
    let name: String
    let done: UInt64
    let total: UInt64
    let seconds: Double

    package init(name: String, done: UInt64, total: UInt64, seconds: Double) {
        (self.name, self.done, self.total, self.seconds) = (name, done, total, seconds)
    }

    /// Less than `columns` cells, so that the terminal does not wrap it.
    package func text(columns: Int) -> String {
        let share = total == 0 ? 1 : min(Double(done) / Double(total), 1)
        let percent = "\(Int(share * 100))%"
        let rate = seconds > 0.2 ? "  \(Self.size(Double(done) / seconds))/s" : ""
        let tail = "\(Self.size(Double(done))) of \(Self.size(Double(total)))\(rate)"
        let room = columns - 1
        if room < tail.count + 20 { return String(percent.prefix(max(room, 0))) }
        var label = ""
        for character in VisibleText.line(name) where CellWidth.of(label) + CellWidth.of(character) <= room / 4 {
            label.append(character)
        }
        let cells = min(40, room - CellWidth.of(label) - tail.count - 12)
        guard cells >= 4 else { return "\(percent)  \(tail)" }
        let full = Int(share * Double(cells))
        let bar = String(repeating: "#", count: full) + String(repeating: "-", count: cells - full)
        return "\(label) \(percent) [\(bar)] \(tail)"
    }

    /// `812 B`, `43.1 kB`, `2.8 MB`: powers of 1000.
    package static func size(_ bytes: Double) -> String {
        var value = max(bytes, 0)
        for unit in ["B", "kB", "MB", "GB"] {
            if value < 1000 || unit == "GB" {
                if unit == "B" { return "\(Int(value)) B" }
                let tenths = Int((value * 10).rounded())
                return "\(tenths / 10).\(tenths % 10) \(unit)"
            }
            value /= 1000
        }
        return ""
    }
}
