import Engine

/// The page of `/metrics`, in Prometheus' text format 0.0.4.
package struct MetricsPage {
    /// What the process knows of itself.
    package struct Process: Sendable {
        package let version: String
        package let uptimeSeconds: UInt64
        package let residentBytes: UInt64
        /// Connections of all ports, control socket included.
        package let connections: Int
        /// Turns of loops that took over 20 ms.
        package let slowTurns: Int
        package init(
            version: String,
            uptimeSeconds: UInt64,
            residentBytes: UInt64,
            connections: Int,
            slowTurns: Int
        ) {
            (self.version, self.uptimeSeconds, self.residentBytes) = (version, uptimeSeconds, residentBytes)
            (self.connections, self.slowTurns) = (connections, slowTurns)
        }
    }

    package private(set) var text = ""

    package init(_ metrics: EngineMetrics, _ process: Process) {
        let vitals = metrics.vitals
        text +=
            "# HELP fcd_info The version that runs.\n# TYPE fcd_info gauge\nfcd_info{version=\"\(process.version)\"} 1\n"
        gauge("fcd_uptime_seconds", "Seconds since the start.", process.uptimeSeconds)
        gauge("process_resident_memory_bytes", "Bytes of memory the process holds.", process.residentBytes)
        gauge("fcd_connections", "Connections of all ports.", UInt64(clamping: process.connections))
        gauge("fcd_chat_connections", "Connections that speak the line protocol.", UInt64(clamping: vitals.connections))
        gauge("fcd_accounts", "Accounts, guests not counted.", UInt64(clamping: vitals.accounts))
        gauge("fcd_guests", "Guests.", UInt64(clamping: vitals.guests))
        gauge("fcd_conversations", "Conversations.", UInt64(clamping: vitals.conversations))
        counter("fcd_messages_sent_total", "Messages sent since the start.", metrics.messagesSent)
        counter("fcd_journal_decided_total", "The last record decided.", vitals.appended)
        counter("fcd_journal_durable_total", "The last record on disk.", vitals.durable)
        let lag = vitals.appended > vitals.durable ? vitals.appended - vitals.durable : 0
        gauge("fcd_journal_lag_records", "Records decided and not yet on disk.", lag)
        gauge(
            "fcd_snapshot_age_seconds",
            "Seconds since a snapshot was written, or since the start.",
            metrics.snapshotAge
        )
        gauge("fcd_blobs", "Blobs.", UInt64(clamping: metrics.blobs))
        gauge("fcd_blob_bytes", "Bytes of blobs, as they count against quotas.", metrics.blobBytes)
        gauge("fcd_uploads", "Files that are coming.", UInt64(clamping: metrics.uploads))
        gauge("fcd_partial_uploads", "Uploads in pieces that are not whole.", UInt64(clamping: metrics.partials))
        counter(
            "fcd_slow_turns_total",
            "Turns of an I/O loop that took over 20 ms.",
            UInt64(clamping: process.slowTurns)
        )
        gauge("fcd_read_only", "1 when nothing is written any more.", vitals.readOnlyReason == nil ? 0 : 1)
        gauge("fcd_memory_full", "1 when memory is over its limit and writes are refused.", vitals.isMemoryFull ? 1 : 0)
    }

    private mutating func gauge(_ name: String, _ help: String, _ value: UInt64) { add(name, "gauge", help, value) }
    private mutating func counter(_ name: String, _ help: String, _ value: UInt64) { add(name, "counter", help, value) }

    private mutating func add(_ name: String, _ type: String, _ help: String, _ value: UInt64) {
        text += "# HELP \(name) \(help)\n# TYPE \(name) \(type)\n\(name) \(value)\n"
    }
}
