import CLinux

/// The scheduler's view of the calling thread.
package enum ThreadPriority {
    /// Lets all others go first (nice 10).
    package static func lower() { _ = fc_set_thread_nice(10) }
}

/// Signals as the daemon takes them: blocked in every thread, read from a descriptor.
package enum Signals {
    /// Blocks `numbers` in the calling thread and all it starts afterwards.
    package static func block(_ numbers: [Int32]) { _ = fc_block_signals(numbers, Int32(numbers.count)) }

    /// A descriptor readable when one of `numbers`, which are blocked, is waiting; the caller's to keep.
    /// - Throws: `Errno` when there is no descriptor left.
    package static func descriptor(_ numbers: [Int32]) throws(Errno) -> Int32 {
        try retrying("signalfd") { fc_signalfd(numbers, Int32(numbers.count)) }
    }

    /// The next signal waiting there, nil when there is none.
    package static func next(_ descriptor: Int32) -> Int32? {
        let number = fc_signalfd_read(descriptor)
        return number < 0 ? nil : number
    }

    /// Lets writes to closed pipes and to files at their limit fail instead of ending the process.
    package static func ignoreWriteSignals() { fc_ignore_write_signals() }

    /// Raises the limit of open descriptors as far as it goes; the limit then in force.
    @discardableResult
    package static func raiseDescriptorLimit() -> Int { Int(fc_raise_descriptor_limit()) }
}
