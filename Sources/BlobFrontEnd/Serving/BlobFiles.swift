import ChatModel
import Engine

/// The stored files, as far as they are in memory: nothing here waits for the disk.
package protocol BlobFiles: Sendable {
    /// Shows a stretch of a file part by part, each in `room`, as long as the bytes are in memory and `take` is true, which
    /// then has used them all.
    func readCached(
        _ content: ContentHash,
        _ range: Range<UInt64>,
        into room: UnsafeMutableRawBufferPointer,
        _ take: (UnsafeRawBufferPointer) -> Bool
    )
}

extension BlobFrontEnd {
    /// What the blob port has done elsewhere, callable from any thread.
    package struct Works: Sendable {
        /// SHA-256 of a token.
        let tokenHash: @Sendable (UnsafeRawBufferPointer) -> TokenHash
        /// Takes work for the blob reader, and for the writer.
        let read: @Sendable (BlobRead) -> Void
        let upload: @Sendable (UploadJob) -> Void
        let partial: @Sendable (PartialJob) -> Void
        /// The page of `/metrics`.
        let metrics: @Sendable (EngineMetrics) -> String

        package init(
            tokenHash: @escaping @Sendable (UnsafeRawBufferPointer) -> TokenHash,
            read: @escaping @Sendable (BlobRead) -> Void,
            upload: @escaping @Sendable (UploadJob) -> Void,
            partial: @escaping @Sendable (PartialJob) -> Void,
            metrics: @escaping @Sendable (EngineMetrics) -> String
        ) {
            (self.tokenHash, self.read, self.upload) = (tokenHash, read, upload)
            (self.partial, self.metrics) = (partial, metrics)
        }
    }
}
