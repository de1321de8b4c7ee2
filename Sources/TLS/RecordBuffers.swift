import CRecordBuffers

/// Where OpenSSL has the memory for its records from.
package enum RecordBuffers {
    /// From now on each thread keeps a few at hand instead of asking malloc for each record. Has an effect only before anything
    /// else of OpenSSL is used in this process.
    /// - Returns: whether it has.
    @discardableResult
    package static func keep() -> Bool { fc_record_buffers_install() == 1 }
}
