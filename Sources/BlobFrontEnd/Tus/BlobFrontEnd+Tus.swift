import ChatModel
import Engine
import Transport

/// Uploads that go on after an interruption: tus 1.0 at `/tus/` (protocol.md, Uploads that go on).
extension BlobFrontEnd {
    func tellOptions(_ session: HTTPSession, _ limit: UInt64) {
        var head = response(session, .noContent)
        head.add("Tus-Version", TusRequest.version)
        head.add("Tus-Extension", TusRequest.extensions)
        head.add("Tus-Max-Size", String(limit))
        let algorithms = PieceChecksum.Algorithm.allCases.map(\.rawValue)
        head.add("Tus-Checksum-Algorithm", algorithms.joined(separator: ","))
        write(session, head)
    }

    /// False, and answered, when a request is of another version, or of nobody.
    private func speaksTus(_ session: HTTPSession, _ request: HTTPRequest) -> Bool {
        guard request.fields[.tusVersion] == TusRequest.version else {
            let refusal = Refusal(.badArg, field: HTTPFields.Name.tusVersion.rawValue, "this server speaks tus 1.0.0")
            refuse(session, refusal, status: .preconditionFailed) { $0.add("Tus-Version", TusRequest.version) }
            return false
        }
        if request.token != nil { return true }
        refuse(session, .unauthorized)
        return false
    }

    func makeUpload(_ session: HTTPSession, _ request: HTTPRequest) {
        guard speaksTus(session, request) else { return }
        do throws(Refusal) {
            let plan = try TusRequest.plan(request)
            _ = try TusRequest.checksum(request.fields)
            withToken(session, request) { .makePartial(plan, $0) }
        } catch { refuseTus(session, error) }
    }

    func useUpload(_ session: HTTPSession, _ request: HTTPRequest, _ id: String) {
        guard speaksTus(session, request) else { return }
        let id = BlobID(id.utf8)
        do throws(Refusal) {
            if request.method == .patch {
                guard TusRequest.isPiece(request) else { throw Refusal(.unsupportedType) }
                _ = try TusRequest.number(request.fields, .uploadOffset)
                _ = try TusRequest.checksum(request.fields)
            }
            withToken(session, request) { request.method == .delete ? .endPartial(id, $0) : .findPartial(id, $0) }
        } catch { refuseTus(session, error) }
    }

    private func refuseTus(_ session: HTTPSession, _ refusal: Refusal) {
        refuse(session, refusal, status: refusal.field == "content-type" ? .unsupportedType : nil)
    }

    /// The engine knows the upload and lets it be used.
    func found(_ session: HTTPSession, _ request: HTTPRequest, _ upload: PartialUpload) {
        session.state = .working(request, upload)
        switch request.method {
        case .post: works.partial(.make(session.key, upload))
        case .delete: works.partial(.remove(session.key, upload.id))
        case .patch: beginPiece(session, request, upload, isNew: false)
        default: works.partial(.look(session.key, upload))
        }
    }

    private func beginPiece(_ session: HTTPSession, _ request: HTTPRequest, _ upload: PartialUpload, isNew: Bool) {
        do throws(Refusal) {
            let offset = isNew ? 0 : try TusRequest.number(request.fields, .uploadOffset)
            if case .length(let count) = request.framing {
                let (end, overflow) = offset.addingReportingOverflow(count)
                if overflow || end > upload.length { throw .tooBig(limit: upload.length, got: overflow ? nil : end) }
            }
            let checksum = try TusRequest.checksum(request.fields)
            works.partial(.begin(session.key, upload, offset: offset, checksum))
        } catch { refuseTus(session, error) }
    }

    /// The upload is whole already.
    func found(_ session: HTTPSession, _ request: HTTPRequest, _ record: BlobRecord) {
        if request.method == .head {
            var head = response(session, .ok)
            head.add("Upload-Offset", String(record.size))
            head.add("Upload-Length", String(record.size))
            head.add("Cache-Control", "no-store")
            head.add("Content-Length", "0")
            return write(session, head)
        }
        if request.framing == .none, (try? TusRequest.number(request.fields, .uploadOffset)) == record.size {
            var head = response(session, .noContent)
            head.add("Upload-Offset", String(record.size))
            return write(session, head)
        }
        let details: [KeyValue] = [.number("offset", record.size)]
        refuse(session, Refusal(.conflict, field: "upload-offset", details: details, "the upload is whole already"))
    }

    /// What the blob writer says of the upload that this connection works on.
    func heard(_ session: HTTPSession, _ news: PartialNews) {
        if case .ousted = news { return giveWay(session) }
        switch session.state {
        case .working(let request, let upload): heard(session, request, upload, news)
        case .storing(let intake):
            guard case .piece(let upload, let isNew) = intake.sink else { return }
            switch news {
            case .appended(let offset): tellOffset(session, upload, offset, isNew: isNew, isWhole: false)
            case .mismatch: refuse(session, .checksumMismatch)
            case .refused(let refusal): refuse(session, refusal)
            case .done, .offset, .ousted: break
            }
        default: break
        }
    }

    private func heard(
        _ session: HTTPSession,
        _ request: HTTPRequest,
        _ upload: PartialUpload,
        _ news: PartialNews
    ) {
        switch (news, request.method) {
        case (.refused(let refusal), _): refuse(session, refusal)
        case (.done, .delete): write(session, response(session, .noContent))
        case (.done, .post):
            // Bytes may stand behind it, and an empty file is whole at once.
            if request.framing == .none, upload.length > 0 {
                tellOffset(session, upload, 0, isNew: true, isWhole: false)
            } else {
                beginPiece(session, request, upload, isNew: true)
            }
        case (.offset(let offset), .head): describe(session, upload, offset)
        case (.offset(let offset), .patch), (.offset(let offset), .post):
            let beyond = Refusal.tooBig(limit: upload.length, got: nil)
            let sink = Intake.Sink.piece(upload, isNew: request.method == .post)
            receive(session, Intake(request, sink, most: upload.length - min(offset, upload.length), beyond: beyond))
        default: break
        }
    }

    /// Another request has come for the upload: this one ends without an answer, its sender may be gone.
    private func giveWay(_ session: HTTPSession) {
        switch session.state {
        case .receiving, .storing: session.connection.abort()
        default: break
        }
    }

    private func describe(_ session: HTTPSession, _ upload: PartialUpload, _ offset: UInt64) {
        var head = response(session, .ok)
        head.add("Upload-Offset", String(offset))
        head.add("Upload-Length", String(upload.length))
        if !upload.metadata.isEmpty { head.add("Upload-Metadata", upload.metadata) }
        head.add("Upload-Expires", HTTPDate.text(upload.expires.milliseconds))
        head.add("Cache-Control", "no-store")
        head.add("Content-Length", "0")
        write(session, head)
    }

    /// Answers where the upload stands.
    func tellOffset(_ session: HTTPSession, _ upload: PartialUpload, _ offset: UInt64, isNew: Bool, isWhole: Bool) {
        var head = response(session, isNew ? .created : .noContent)
        if isNew {
            head.add("Location", "/tus/\(upload.id.text)")
            head.add("Content-Length", "0")
        }
        head.add("Upload-Offset", String(offset))
        if !isWhole { head.add("Upload-Expires", HTTPDate.text(upload.expires.milliseconds)) }
        write(session, head)
    }
}
