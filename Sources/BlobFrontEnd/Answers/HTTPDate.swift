import ChatModel

/// Dates of HTTP: IMF-fixdate (RFC 9110 section 5.6.7).
enum HTTPDate {
    private static let days = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    /// - Parameter milliseconds: since 1970, not negative.
    static func text(_ milliseconds: Int64) -> String {
        let time = Timestamp(milliseconds: milliseconds)
        let digits = withUnsafeTemporaryAllocation(byteCount: Timestamp.width, alignment: 1) { room -> String in
            time.render(into: room)
            return String(decoding: room, as: UTF8.self)
        }
        let (year, month) = (digits.prefix(4), Int(digits.dropFirst(5).prefix(2)) ?? 1)
        let (day, clock) = (digits.dropFirst(8).prefix(2), digits.dropFirst(11).prefix(8))
        // 1970 began on a Thursday.
        let weekday = days[Int((milliseconds / 86_400_000) % 7)]
        return "\(weekday), \(day) \(months[month - 1]) \(year) \(clock) GMT"
    }
}

/// The `Date` of answers, written once a second.
struct HTTPClock {
    private var second: Int64 = -1
    private var text = ""

    mutating func date(milliseconds: Int64) -> String {
        if milliseconds / 1000 != second { (second, text) = (milliseconds / 1000, HTTPDate.text(milliseconds)) }
        return text
    }
}
