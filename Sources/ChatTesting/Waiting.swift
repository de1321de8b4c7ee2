import Glibc

/// Seconds on a clock that only goes forward.
package func monotonicSeconds() -> Double {
    var now = timespec()
    clock_gettime(CLOCK_MONOTONIC, &now)
    return Double(now.tv_sec) + Double(now.tv_nsec) / 1e9
}

/// Asks again and again until there is a result; nil when there is none after `seconds`. Blocks the thread.
package func polling<Result>(
    atMost seconds: Double,
    every pause: Double = 0.01,
    _ ask: () throws -> Result?
) rethrows -> Result? {
    let end = monotonicSeconds() + seconds
    while true {
        if let result = try ask() { return result }
        if monotonicSeconds() >= end { return nil }
        pauseThread(pause)
    }
}

/// The same for a condition: false when it does not hold within `seconds`.
package func holds(within seconds: Double, every pause: Double = 0.01, _ condition: () throws -> Bool) rethrows -> Bool
{
    try polling(atMost: seconds, every: pause) { try condition() ? true : nil } ?? false
}

/// Lets the thread rest: to pace a load, never to hope for a state.
package func pauseThread(_ seconds: Double) {
    guard seconds > 0 else { return }
    usleep(UInt32(min(seconds * 1e6, 999_999)))
}

/// A small file's text, decoded as UTF-8; empty when it cannot be read. Works for /proc, where sizes are 0.
package func readWhole(_ path: String) -> String {
    guard let file = fopen(path, "r") else { return "" }
    defer { fclose(file) }
    var all: [UInt8] = []
    var part = [UInt8](repeating: 0, count: 65_536)
    while true {
        let count = fread(&part, 1, part.count, file)
        if count == 0 { break }
        all.append(contentsOf: part[..<count])
    }
    return String(decoding: all, as: UTF8.self)
}
