import SystemIO

/// All waiting of the program; ends it quietly when an interrupt comes.
struct Waiter {
    /// Nil: SIGINT and SIGTERM end the process at once, as usual.
    let interrupts: Interrupts?
    /// Served during every wait.
    var attendant: (any Attendant)?

    init(interrupts: Interrupts?, attendant: (any Attendant)? = nil) {
        (self.interrupts, self.attendant) = (interrupts, attendant)
    }

    /// Waits until one of `watches` has something; false when `milliseconds` (-1: without end) are over before.
    /// - Throws: the quiet end when the person interrupts.
    func wait(for watches: inout [Watch], milliseconds: Int32) throws(Failure) -> Bool {
        if let attendant { return try wait(for: &watches, milliseconds: milliseconds, serving: attendant) }
        var all = watches
        if let interrupts { all.append(Watch(interrupts.descriptor, input: true)) }
        let any = try Self.poll(&all, milliseconds: milliseconds)
        if interrupts != nil, all.removeLast().isReadable { throw .quietEnd }
        watches = all
        return any
    }

    private func wait(
        for watches: inout [Watch],
        milliseconds: Int32,
        serving attendant: any Attendant
    ) throws(Failure) -> Bool {
        let end = Clock.monotonicNanoseconds + UInt64(max(milliseconds, 0)) * 1_000_000
        while true {
            var all = watches + attendant.watches
            let now = Clock.monotonicNanoseconds
            let left = milliseconds < 0 ? -1 : now < end ? Int32((end - now + 999_999) / 1_000_000) : 0
            _ = try Self.poll(&all, milliseconds: left)
            let own = all[watches.count...]
            watches = Array(all.prefix(watches.count))
            let isServed = own.contains { $0.isReadable || $0.isWritable } ? try attendant.attend() : false
            if isServed || watches.contains(where: { $0.isReadable || $0.isWritable || $0.isBroken }) { return true }
            if milliseconds >= 0, Clock.monotonicNanoseconds >= end { return false }
        }
    }

    private static func poll(_ watches: inout [Watch], milliseconds: Int32) throws(Failure) -> Bool {
        do {
            return try Watch.wait(for: &watches, milliseconds: milliseconds)
        } catch {
            throw Failure(.noConnection, "waiting failed: \(error)")
        }
    }

    /// Lets time pass.
    func pause(seconds: Double) throws(Failure) {
        var none: [Watch] = []
        let end = Clock.monotonicNanoseconds + UInt64(min(seconds, 3_600) * 1e9)
        while true {
            let now = Clock.monotonicNanoseconds
            guard now < end else { return }
            // Whoever is served meanwhile does not make it shorter.
            if try !wait(for: &none, milliseconds: Int32((end - now) / 1_000_000) + 1) { return }
        }
    }
}
