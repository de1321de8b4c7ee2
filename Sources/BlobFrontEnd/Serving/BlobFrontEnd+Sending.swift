import Engine
import Transport

extension BlobFrontEnd {
    /// Bytes given to the connection at a time: one TLS record.
    private static let record = 16384
    /// Connections that are sent a slice in one turn.
    private static let slicesPerTurn = 4

    /// Sends a slice to a few of those that have something to send.
    /// - Returns: true when others wait.
    package func flushSlice() -> Bool {
        if ready.isEmpty { return false }
        let count = min(ready.count, Self.slicesPerTurn)
        for index in 0..<count {
            let session = ready[index]
            session.isReady = false
            if case .sending(let download) = session.state { sendSlice(session, download) }
        }
        ready.removeFirst(count)
        return !ready.isEmpty
    }

    /// Sends what the socket takes, up to a slice: what the disk gave first, then what is in memory; then asks the disk.
    private func sendSlice(_ session: HTTPSession, _ download: Download) {
        let connection = session.connection
        while !download.piece.isEmpty, !connection.isBlocked, !connection.isClosing {
            let part = download.piece.prefix(Self.record)
            part.withUnsafeBytes { connection.write($0) }
            download.piece = download.piece.dropFirst(part.count)
            download.next += UInt64(part.count)
        }
        if connection.isBlocked || connection.isClosing || download.isReading { return }
        if download.next == download.end { return done(session) }
        let last = download.next + min(download.end - download.next, Download.sliceSize)
        let fileRoom = UnsafeMutableRawBufferPointer(rebasing: room[Self.headRoom...])
        files.readCached(download.content, download.next..<last, into: fileRoom) { send(session, download, $0) }
        if connection.isClosing { return }
        if download.next == download.end {
            done(session)
        } else if !connection.isBlocked {
            if download.next == last { markReady(session) } else { askDisk(session, download) }
        }
    }

    /// Sends bytes that stand in the loop's room, the head right in front of the first of them.
    /// - Returns: whether all were taken and the socket takes more.
    private func send(_ session: HTTPSession, _ download: Download, _ bytes: UnsafeRawBufferPointer) -> Bool {
        let connection = session.connection
        var at = Self.headRoom
        let end = at + bytes.count
        if let head = download.head, head.count <= Self.headRoom {
            at -= head.count
            UnsafeMutableRawBufferPointer(rebasing: room[at..<Self.headRoom]).copyBytes(from: head)
            download.head = nil
        }
        while at < end, !connection.isBlocked, !connection.isClosing {
            let count = min(Self.record, end - at)
            connection.write(UnsafeRawBufferPointer(rebasing: room[at..<at + count]))
            at += count
        }
        download.next += UInt64(at - Self.headRoom)
        return at == end && !connection.isBlocked && !connection.isClosing
    }

    private func askDisk(_ session: HTTPSession, _ download: Download) {
        download.isReading = true
        let count = Int(min(UInt64(Download.pieceSize), download.end - download.next))
        works.read(BlobRead(connection: session.key, content: download.content, offset: download.next, count: count))
    }

    /// A piece of the file has come, or the file cannot be read. Once bytes have left, only the end of the connection can
    /// tell that.
    func came(_ session: HTTPSession, _ download: Download, _ bytes: [UInt8]?) {
        download.isReading = false
        let wanted = Int(min(UInt64(Download.pieceSize), download.end - download.next))
        guard let bytes, bytes.count == wanted else {
            if download.head == nil { return session.connection.abort() }
            return refuseAndClose(session, .internalError)
        }
        if let head = download.head {
            download.head = nil
            head.withUnsafeBytes { session.connection.write($0) }
        }
        download.piece = bytes[...]
        if !session.connection.isBlocked { markReady(session) }
    }
}
