import ChatClient
import Glibc

/// The person's time zone (localtime_r(3)).
enum WallClock {
    /// `milliseconds` since 1970 as local time.
    @Sendable static func local(_ milliseconds: Int64) -> LocalTime {
        var seconds = time_t(milliseconds / 1_000)
        var parts = tm()
        localtime_r(&seconds, &parts)
        return LocalTime(
            year: Int(parts.tm_year) + 1900,
            month: Int(parts.tm_mon) + 1,
            day: Int(parts.tm_mday),
            hour: Int(parts.tm_hour),
            minute: Int(parts.tm_min)
        )
    }
}
