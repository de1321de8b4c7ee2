/// The identity of a log, which `HI` shows: 13 digits and small letters, made anew when cursors lose their meaning.
package enum LogIdentity {
    package static func make(_ randomness: any Randomness) -> String {
        let digits = String(randomness.word(), radix: 36)
        return String(repeating: "0", count: max(0, 13 - digits.count)) + digits
    }
}
