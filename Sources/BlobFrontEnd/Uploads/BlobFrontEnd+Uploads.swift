import Bytes
import ChatModel
import Engine
import Transport
import Wire

/// Files that come by `PUT /blobs/NAME`, and content on its way to the disk in general.
extension BlobFrontEnd {
    func beginPut(_ session: HTTPSession, _ request: HTTPRequest, _ name: String) {
        guard request.token != nil else { return refuse(session, .unauthorized) }
        if BlobID(name.utf8) != nil {
            return refuse(session, Refusal(.methodNotAllowed), status: .methodNotAllowed) {
                $0.add("Allow", HTTPPlace.blobPart(name).allow)
            }
        }
        // There is nothing at this place yet, whatever its name (RFC 9110 section 13.1.1).
        if request.fields[.ifMatch] != nil { return refuse(session, .preconditionFailed) }
        do throws(Refusal) {
            let upload = try PutRequest(request, name: name).upload
            withToken(session, request) { .upload(upload, $0) }
        } catch {
            refuse(session, error, status: error.field == "content-encoding" ? .unsupportedType : nil)
        }
    }

    /// The engine lets a file come.
    func receive(
        _ session: HTTPSession,
        _ request: HTTPRequest,
        _ question: BlobQuestion,
        _ most: UInt64,
        _ beyond: Refusal
    ) {
        guard case .upload(let upload, _) = question else { return refuseAndClose(session, .internalError) }
        works.upload(.begin(session.key, Wire.Tag.none, upload.put))
        receive(session, Intake(request, .blob, most: most, beyond: beyond))
    }

    /// Takes the content that stands behind the head.
    func receive(_ session: HTTPSession, _ intake: Intake) {
        session.state = .receiving(intake)
        guard session.reader.isInContent else { return allCame(session, intake) }
        if session.expectsContinue {
            session.expectsContinue = false
            Array("HTTP/1.1 100 Continue\r\n\r\n".utf8).withUnsafeBytes { session.connection.write($0) }
        }
        watch(session)
        session.connection.resume()
    }

    /// Takes content from the front of `bytes`; true when there is more to look at.
    func take(_ session: HTTPSession, _ intake: Intake, _ bytes: UnsafeRawBufferPointer, _ at: inout Int) -> Bool {
        switch session.reader.next(bytes, &at) {
        case .content(let range):
            let count = min(range.count, Intake.waitingLimit - intake.waiting)
            if count == 0 {
                session.connection.pause()
                return false
            }
            guard UInt64(count) <= intake.most - intake.taken else {
                abandon(session)
                session.closes = true
                refuse(session, intake.beyond)
                return false
            }
            keep(session, intake, Array(bytes[range.lowerBound..<range.lowerBound + count]))
            session.reader.take(count)
            at += count
            return true
        case .contentEnd:
            allCame(session, intake)
            return false
        case .broken(let status):
            abandon(session)
            refuseAndClose(session, status)
            return false
        case .more, .request, .refused: return false
        }
    }

    private func keep(_ session: HTTPSession, _ intake: Intake, _ bytes: [UInt8]) {
        intake.taken += UInt64(bytes.count)
        intake.waiting += bytes.count
        switch intake.sink {
        case .blob: works.upload(.write(session.key, bytes))
        case .piece(let upload, _): works.partial(.write(session.key, upload.id, bytes))
        }
    }

    private func allCame(_ session: HTTPSession, _ intake: Intake) {
        session.state = .storing(intake)
        session.connection.deadline = nil
        switch intake.sink {
        case .blob: works.upload(.finish(session.key))
        case .piece(let upload, _): works.partial(.finish(session.key, upload))
        }
    }

    private func watch(_ session: HTTPSession) {
        session.connection.deadline = session.connection.loop.seconds + Intake.watchSeconds
    }

    /// The time for some progress is over: whoever hardly sends is given up, but not for a slow disk.
    func lookAtProgress(_ session: HTTPSession, _ intake: Intake) {
        if intake.taken - intake.mark >= Intake.leastProgress || intake.waiting > 0 {
            intake.mark = intake.taken
            return watch(session)
        }
        abandon(session)
        refuseAndClose(session, .requestTimeout)
    }

    /// Gives up what is under way and has no answer: bytes of a file are dropped, pieces kept.
    func abandon(_ session: HTTPSession) {
        switch session.state {
        case .receiving(let intake): abandon(session, intake, isWhole: false)
        case .storing(let intake): abandon(session, intake, isWhole: true)
        case .asking(_, .upload): outgoing.append(.uploadEnded(session.key))
        case .head, .asking, .working, .sending, .draining, .dropping: return
        }
        session.state = .draining
        session.connection.deadline = nil
    }

    private func abandon(_ session: HTTPSession, _ intake: Intake, isWhole: Bool) {
        switch intake.sink {
        case .blob:
            if !isWhole { works.upload(.abandon(session.key)) }
            outgoing.append(.uploadEnded(session.key))
        case .piece(let upload, _): if !isWhole { works.partial(.abandon(session.key, upload.id)) }
        }
    }

    /// The engine has decided about content that was stored.
    func stored(_ session: HTTPSession, _ intake: Intake, _ answer: BlobAnswer) {
        guard case .stored(let fields) = answer else { return refuse(session, answer) }
        switch intake.sink {
        case .blob:
            var head = response(session, .created)
            if case .word(let url)? = fields.first(where: { $0.key == "url" })?.value { head.add("Location", url) }
            write(session, head, JSONBody.object(fields), type: "application/json")
        case .piece(let upload, let isNew): tellOffset(session, upload, upload.length, isNew: isNew, isWhole: true)
        }
    }
}
