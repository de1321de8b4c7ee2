/// A moment in milliseconds since 1970, UTC; on the wire RFC 3339 with milliseconds and `Z`.
public struct Timestamp: Hashable, Comparable, Sendable {
    public let milliseconds: Int64
    @inlinable public init(milliseconds: Int64) { self.milliseconds = milliseconds }
    @inlinable public static func < (a: Self, b: Self) -> Bool { a.milliseconds < b.milliseconds }

    /// Bytes of the rendered form: `2026-11-30T08:36:33.123Z`.
    package static let width = 24

    /// Writes the rendered form into `room`, which must hold `width` bytes. Years 0000 to 9999; others are clamped.
    package func render(into room: UnsafeMutableRawBufferPointer) {
        let clamped = min(max(milliseconds, -62_167_219_200_000), 253_402_300_799_999)
        let day = clamped >= 0 ? clamped / 86_400_000 : (clamped - 86_399_999) / 86_400_000
        let rest = UInt32(truncatingIfNeeded: clamped - day * 86_400_000)
        let date = Self.civil(fromDays: Int(day))
        /// Two digits; `value` is below 100.
        func put(_ value: UInt32, at: Int) {
            let tens = (value &* 103) >> 10
            room[at] = UInt8(truncatingIfNeeded: 0x30 &+ tens)
            room[at + 1] = UInt8(truncatingIfNeeded: 0x30 &+ value &- tens &* 10)
        }
        let (year, second) = (UInt32(truncatingIfNeeded: date.year), rest / 1000)
        let minute = second / 60
        put(year / 100, at: 0)
        put(year % 100, at: 2)
        put(UInt32(truncatingIfNeeded: date.month), at: 5)
        put(UInt32(truncatingIfNeeded: date.day), at: 8)
        put(minute / 60, at: 11)
        put(minute % 60, at: 14)
        put(second % 60, at: 17)
        let thousandth = rest % 1000
        put(thousandth / 10, at: 20)
        room[22] = UInt8(truncatingIfNeeded: 0x30 &+ thousandth % 10)
        (room[4], room[7], room[10], room[13], room[16]) = (0x2D, 0x2D, 0x54, 0x3A, 0x3A)
        (room[19], room[23]) = (0x2E, 0x5A)
    }

    package var text: String {
        String(unsafeUninitializedCapacity: Self.width) { room in
            render(into: UnsafeMutableRawBufferPointer(room))
            return Self.width
        }
    }

    /// Reads `2026-11-30T08:36:33Z` with or without a fraction of one to three digits; nil for anything else.
    package init?(_ bytes: UnsafeRawBufferPointer) {
        guard bytes.count >= 20, bytes.count <= 24, bytes[bytes.count - 1] == 0x5A else { return nil }
        func number(_ range: Range<Int>) -> Int? {
            var v = 0
            for i in range {
                guard bytes[i] >= 0x30, bytes[i] <= 0x39 else { return nil }
                v = v * 10 + Int(bytes[i] - 0x30)
            }
            return v
        }
        guard bytes[4] == 0x2D, bytes[7] == 0x2D, bytes[10] == 0x54, bytes[13] == 0x3A, bytes[16] == 0x3A,
            let year = number(0..<4), let month = number(5..<7), let day = number(8..<10),
            let hour = number(11..<13), let minute = number(14..<16), let second = number(17..<19),
            (1...12).contains(month), day >= 1, day <= Self.length(ofMonth: month, year: year),
            hour < 24, minute < 60, second < 60
        else { return nil }
        var fraction = 0
        if bytes.count > 20 {
            guard bytes[19] == 0x2E, bytes.count > 21, let digits = number(20..<bytes.count - 1) else { return nil }
            fraction = digits * [1: 100, 2: 10, 3: 1][bytes.count - 21, default: 1]
        }
        let days = Self.days(fromYear: year, month: month, day: day)
        milliseconds = Int64(days) * 86_400_000 + Int64(hour * 3_600_000 + minute * 60_000 + second * 1000 + fraction)
    }

    private static func length(ofMonth month: Int, year: Int) -> Int {
        if month == 2 { return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28 }
        return [4, 6, 9, 11].contains(month) ? 30 : 31
    }

    /// Days since 1970-01-01 of a date in the proleptic Gregorian calendar.
    private static func days(fromYear year: Int, month: Int, day: Int) -> Int {
        let y = month <= 2 ? year - 1 : year
        let era = (y >= 0 ? y : y - 399) / 400
        let yearOfEra = y - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    private static func civil(fromDays days: Int) -> (year: Int, month: Int, day: Int) {
        let z = days + 719_468
        let era = (z >= 0 ? z : z - 146_096) / 146_097
        let dayOfEra = z - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let m = (5 * dayOfYear + 2) / 153
        let month = m < 10 ? m + 3 : m - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * m + 2) / 5 + 1)
    }
}
