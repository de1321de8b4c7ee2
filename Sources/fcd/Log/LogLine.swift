import Glibc

/// Renders one line of the log, its line end included, never longer than `longest`.
struct LogLine {
    /// Bytes: what a pipe takes as a whole or not at all (pipe(7), PIPE_BUF).
    static let longest = 4096
    /// Scalars of a field's value that are shown.
    static let longestValue = 512

    private(set) var bytes: [UInt8] = []
    private let format: LogFormat
    private var isClipped = false

    /// - Parameter time: milliseconds since 1970, UTC.
    init(_ format: LogFormat, time: Int64, level: LogLevel, subsystem: StaticString, message: StaticString) {
        self.format = format
        bytes.reserveCapacity(256)
        switch format {
        case .text:
            bytes.append(contentsOf: "\(Self.timestamp(time)) \(level.rawValue) \(subsystem) \(message)".utf8)
        case .json:
            bytes.append(contentsOf: "{\"time\":\"\(Self.timestamp(time))\",\"level\":\"\(level.rawValue)\"".utf8)
            add("subsystem", subsystem.description)
            add("message", message.description)
        }
    }

    /// Adds `key=value`; a value with blanks, quotes or `=` in it, or nothing, is quoted.
    ///
    /// What does not fit into the line any more is left out, and `clipped` says so.
    mutating func add(_ key: StaticString, _ value: String) {
        if isClipped { return }
        var field: [UInt8] = []
        let quoted = format == .json || Self.needsQuotes(value)
        field.append(contentsOf: (format == .json ? ",\"\(key)\":\"" : quoted ? " \(key)=\"" : " \(key)=").utf8)
        VisibleText.append(value, quoted: quoted, limit: Self.longestValue, to: &field)
        if quoted { field.append(UInt8(ascii: "\"")) }
        let room = Self.longest - bytes.count - 32
        if field.count > room {
            isClipped = true
            field = Array((format == .json ? ",\"clipped\":\"yes\"" : " clipped=yes").utf8)
        }
        bytes.append(contentsOf: field)
    }

    /// Ends the line; nothing can be added after it.
    mutating func end() { bytes.append(contentsOf: (format == .json ? "}\n" : "\n").utf8) }

    private static func needsQuotes(_ value: String) -> Bool {
        value.isEmpty
            || value.unicodeScalars.contains { scalar in
                scalar == "\"" || scalar == "\\" || scalar == "=" || scalar.properties.isWhitespace
                    || VisibleText.isHidden(scalar)
            }
    }

    /// RFC 3339 with milliseconds in UTC; the years 1970 ... 9999.
    static func timestamp(_ milliseconds: Int64) -> String {
        var seconds = time_t(max(0, milliseconds) / 1000)
        var parts = tm()
        gmtime_r(&seconds, &parts)
        let date = "\(parts.tm_year + 1900)-\(two(parts.tm_mon + 1))-\(two(parts.tm_mday))"
        let fraction = String(1000 + max(0, milliseconds) % 1000).dropFirst()
        return "\(date)T\(two(parts.tm_hour)):\(two(parts.tm_min)):\(two(parts.tm_sec)).\(fraction)Z"
    }

    private static func two(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
