import SystemIO

/// All waiting of the program; ends it quietly when an interrupt comes.
struct Waiter {
    /// Nil: SIGINT and SIGTERM end the process at once, as usual.
    let interrupts: Interrupts?

    /// Waits until one of `watches` has something; false when `milliseconds` (-1: without end) are over before.
    /// - Throws: the quiet end when the person interrupts.
    func wait(for watches: inout [Watch], milliseconds: Int32) throws(Failure) -> Bool {
        var all = watches
        if let interrupts { all.append(Watch(interrupts.descriptor, input: true)) }
        let any: Bool
        do {
            any = try Watch.wait(for: &all, milliseconds: milliseconds)
        } catch {
            throw Failure(.noConnection, "waiting failed: \(error)")
        }
        if interrupts != nil, all.removeLast().isReadable { throw .quietEnd }
        watches = all
        return any
    }

    /// Lets time pass.
    func pause(seconds: Double) throws(Failure) {
        var none: [Watch] = []
        _ = try wait(for: &none, milliseconds: Int32(min(seconds, 3_600) * 1_000))
    }
}
