import Bytes
import Wire

/// Rows for people: columns; and for programs: JSON, one object a line.
enum RowTable {
    /// Rows of `key= value=` as two columns, others under a line of their keys.
    static func text(_ rows: [[ServerLine.Field]]) -> String {
        if rows.allSatisfy({ $0.count == 2 && $0[0].key == "key" && $0[1].key == "value" }) {
            return columns(rows.map { $0.map { shown($0.value) } })
        }
        var keys: [String] = []
        for key in rows.joined().map(\.key) where !keys.contains(key) { keys.append(key) }
        let body = rows.map { row in
            keys.map { key in row.first { $0.key == key }.map { shown($0.value) } ?? "-" }
        }
        return columns([keys] + body)
    }

    /// `{"key":"value",…}` and a line end; every value is a string.
    static func json(_ fields: [ServerLine.Field]) -> String {
        var line = ByteBuffer()
        for (index, field) in fields.enumerated() {
            line.append(byte: index == 0 ? 0x7B : 0x2C)
            JSONString.append(string: field.key, into: &line)
            line.append(byte: 0x3A)
            JSONString.append(string: field.value, into: &line)
        }
        return (fields.isEmpty ? "{" : String(decoding: line.readable, as: UTF8.self)) + "}\n"
    }

    /// Free of what could drive a terminal.
    static func shown(_ text: String) -> String {
        var bytes: [UInt8] = []
        VisibleText.append(text, quoted: false, limit: .max, to: &bytes)
        return text.isEmpty ? "-" : String(decoding: bytes, as: UTF8.self)
    }

    private static func columns(_ rows: [[String]]) -> String {
        var widths: [Int] = []
        for row in rows {
            for (index, cell) in row.enumerated() {
                if index == widths.count { widths.append(0) }
                widths[index] = max(widths[index], cell.count)
            }
        }
        return rows.map { row in
            let cells = row.enumerated().map { index, cell in
                index == row.count - 1 ? cell : cell + String(repeating: " ", count: widths[index] - cell.count)
            }
            return cells.joined(separator: "  ") + "\n"
        }.joined()
    }
}
