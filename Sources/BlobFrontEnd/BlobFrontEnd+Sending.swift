import Engine
import Transport

extension BlobFrontEnd {
    /// Bytes given to the connection at a time: one TLS record.
    private static let slice = 16384

    /// Sends while the socket takes it; then asks for the next piece, or ends the answer.
    func pump(_ session: HTTPSession, _ download: Download) {
        let connection = session.connection
        while !connection.isBlocked, !connection.isClosing {
            if download.sent < download.piece.count {
                let count = min(Self.slice, download.piece.count - download.sent)
                download.piece.withUnsafeBytes {
                    connection.write(UnsafeRawBufferPointer(rebasing: $0[download.sent..<download.sent + count]))
                }
                download.sent += count
            } else if download.next == download.end {
                return done(session)
            } else {
                return request(session, download)
            }
        }
    }

    private func request(_ session: HTTPSession, _ download: Download) {
        if download.isReading { return }
        (download.isReading, download.piece, download.sent) = (true, [], 0)
        let count = Int(min(UInt64(Download.pieceSize), download.end - download.next))
        read(BlobRead(connection: session.key, content: download.content, offset: download.next, count: count))
    }

    /// A piece of the file has come, or the file cannot be read. Once bytes have left, only the end of the connection can
    /// tell that.
    func came(_ session: HTTPSession, _ download: Download, _ bytes: [UInt8]?) {
        download.isReading = false
        let wanted = Int(min(UInt64(Download.pieceSize), download.end - download.next))
        guard let bytes, bytes.count == wanted else {
            if download.head == nil { return session.connection.abort() }
            return refuse(session, .internalError, closes: true)
        }
        if let head = download.head?.bytes() {
            download.head = nil
            head.withUnsafeBytes { session.connection.write($0) }
        }
        download.piece = bytes
        download.next += UInt64(bytes.count)
        pump(session, download)
    }
}
