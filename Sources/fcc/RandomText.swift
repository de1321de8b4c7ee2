import SystemIO

/// Random values from the kernel.
enum RandomText {
    /// Lower-case hex digits of so many random bytes.
    static func hex(bytes count: Int) -> String {
        var room = [UInt8](repeating: 0, count: count)
        room.withUnsafeMutableBytes { SystemRandom.fill($0) }
        return room.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    /// A number from 0 to 1.
    static func chance() -> Double { Double.random(in: 0...1) }
}
