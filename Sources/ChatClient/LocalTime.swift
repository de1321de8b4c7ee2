/// A moment as the person's wall shows it.
package struct LocalTime: Equatable, Sendable {
    package let year: Int
    package let month: Int
    package let day: Int
    package let hour: Int
    package let minute: Int

    package init(year: Int, month: Int, day: Int, hour: Int, minute: Int) {
        (self.year, self.month, self.day, self.hour, self.minute) = (year, month, day, hour, minute)
    }

    /// `12:03` on the same day as `now`, else `2026-01-05 12:03`.
    package func text(on now: LocalTime) -> String {
        let clock = Self.two(hour) + ":" + Self.two(minute)
        if (year, month, day) == (now.year, now.month, now.day) { return clock }
        return "\(year)-" + Self.two(month) + "-" + Self.two(day) + " " + clock
    }

    private static func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
