/// What the engine says of itself to `/metrics`.
package struct EngineMetrics: Sendable {
    package let vitals: EngineVitals
    package let messagesSent: UInt64
    /// Blobs, and the bytes of them that count against quotas.
    package let blobs: Int
    package let blobBytes: UInt64
    /// Files on their way to the blob port and the chat ports; uploads in pieces that are not whole.
    package let uploads: Int
    package let partials: Int
    /// Seconds since a snapshot was on disk, or since the start.
    package let snapshotAge: UInt64
}
