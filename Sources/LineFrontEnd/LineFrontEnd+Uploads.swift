import ChatModel
import Engine
import Transport
import Wire

/// PUT-BLOB: the bytes behind the line (protocol.md, Files).
extension LineFrontEnd {
    /// Whether lines or bytes of a file are taken now.
    func mayTakeInput(_ session: LineSession) -> Bool {
        guard let upload = session.upload else { return mayTakeLine(session) }
        return upload.takesBytes && !session.isDeaf
    }

    /// Asks the engine whether the bytes may come.
    func beginUpload(_ session: LineSession, _ tag: Tag, _ put: PutBlob) {
        if put.size > settings.blobLimit { return refuseTooBig(session, tag, put.size) }
        session.upload = Upload(tag: tag, request: put, phase: .asked, left: put.size)
        submit(session, tag, .putBlob(put))
    }

    /// Refuses a line that is no sound PUT-BLOB. Its bytes are dropped; where their number is not known, or too large,
    /// nothing behind the line can be told from requests, and the connection ends.
    func refuseUpload(_ session: LineSession, _ tag: Tag, _ refusal: Refusal, size: UInt64?) {
        guard let size else {
            answer(session, tag, .refused(refusal))
            return end(session, .badArg, "where the next request begins cannot be known")
        }
        if size > settings.blobLimit { return refuseTooBig(session, tag, size) }
        refuse(session, tag, refusal)
        if size > 0 { session.upload = Upload(tag: tag, request: nil, phase: .dropping, left: size) }
    }

    private func refuseTooBig(_ session: LineSession, _ tag: Tag, _ size: UInt64) {
        let details: [KeyValue] = [.number("limit", settings.blobLimit), .number("got", size)]
        let refusal = Refusal(.tooBig, field: "size", details: details, "the file is too big, in bytes")
        answer(session, tag, .refused(refusal))
        end(session, .tooBig, "a file may have \(settings.blobLimit) bytes")
    }

    private func end(_ session: LineSession, _ code: Code, _ text: String) {
        session.end(.bye(code, text))
        cursors.markReady(session.connection.slot)
    }

    /// Takes bytes of a file from the front of `bytes`.
    /// - Returns: how many.
    func takeBytes(_ session: LineSession, _ bytes: UnsafeRawBufferPointer) -> Int {
        guard var upload = session.upload else { return 0 }
        var count = Int(clamping: min(upload.left, UInt64(bytes.count)))
        if upload.phase == .receiving {
            count = min(count, Upload.waitingLimit - upload.waiting)
            if count > 0 { uploads(.write(session.key, Array(bytes[..<count]))) }
            upload.waiting += count
            watchStall(session)
        }
        upload.left -= UInt64(count)
        session.upload = upload
        if upload.left == 0 { allCame(session) }
        return count
    }

    private func allCame(_ session: LineSession) {
        if session.upload?.phase == .dropping {
            session.upload = nil
        } else {
            session.upload?.phase = .storing
            session.connection.deadline = nil
            uploads(.finish(session.key))
        }
    }

    /// The writer has taken bytes: there is room for more.
    func uploadTaken(_ session: LineSession, _ byteCount: Int) {
        session.upload?.waiting -= byteCount
        if session.upload?.phase == .receiving { watchStall(session) }
        resumeIfPossible(session)
    }

    /// Looks at a reply while an upload is under way.
    /// - Returns: true when it is not to be said.
    func concernsUpload(_ session: LineSession, _ reply: Reply) -> Bool {
        // Answers to requests in front of it come first; behind it nothing was taken.
        guard let upload = session.upload, session.inFlight == 1 else { return false }
        switch (upload.phase, reply) {
        case (.asked, .uploadMayBegin):
            startReceiving(session, upload)
            return true
        case (.asked, _):
            session.upload?.phase = .dropping
            if upload.left == 0 { session.upload = nil }
        case (.storing, _): session.upload = nil
        case (.receiving, _), (.dropping, _): break
        }
        return false
    }

    private func startReceiving(_ session: LineSession, _ upload: Upload) {
        guard let request = upload.request else { return }
        session.upload?.phase = .receiving
        uploads(.begin(session.key, upload.tag, request))
        if session.isDeaf { return cancelUpload(session, Self.stopped) }
        watchStall(session)
        if upload.left == 0 { allCame(session) } else { resumeIfPossible(session) }
    }

    private func watchStall(_ session: LineSession) {
        session.connection.deadline = session.connection.loop.seconds + Upload.stallSeconds
    }

    static var stopped: Refusal { Refusal(.shutdown, retry: .now, "the upload was not taken: this connection ends") }

    /// Gives up an upload whose bytes are still coming, and answers it.
    func cancelUpload(_ session: LineSession, _ refusal: Refusal) {
        guard let upload = session.upload, upload.phase == .receiving || upload.phase == .dropping else { return }
        session.upload = nil
        guard upload.phase == .receiving else { return }
        session.connection.deadline = nil
        uploads(.abandon(session.key))
        session.inFlight -= 1
        answer(session, upload.tag, .refused(refusal))
    }

    /// No byte has come for long.
    func uploadStalled(_ session: LineSession) {
        guard session.upload?.phase == .receiving else { return }
        cancelUpload(session, Refusal(.limit, retry: .now, "the upload stood still"))
        end(session, .limit, "the upload stood still for \(Upload.stallSeconds) seconds")
    }
}
