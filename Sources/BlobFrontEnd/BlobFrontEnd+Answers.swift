import Bytes
import ChatModel
import Engine
import Transport

extension BlobFrontEnd {
    /// A whole head has come.
    func serve(_ session: HTTPSession, _ head: UnsafeRawBufferPointer) {
        let request: HTTPRequest
        do throws(HTTPRequest.Refused) { request = try HTTPRequest(head: head) } catch {
            return refuse(session, error.status, closes: error.closes, hasBody: !head.starts(with: "HEAD ".utf8))
        }
        session.closes = request.closes
        switch request.place {
        case .health: ask(session, request, .health)
        case .blob(let id):
            guard var token = request.token else {
                return refuse(session, .unauthorized, closes: request.closes, hasBody: !request.isHead)
            }
            let hash = token.withUTF8 { tokenHash(UnsafeRawBufferPointer($0)) }
            ask(session, request, .read(BlobID(id.utf8), hash))
        case .elsewhere: refuse(session, .notFound, closes: request.closes, hasBody: !request.isHead)
        }
    }

    private func ask(_ session: HTTPSession, _ request: HTTPRequest, _ question: BlobQuestion) {
        session.state = .asking(request)
        outgoing.append(.blobAsked(session.key, question))
    }

    /// Takes mail for this port.
    package func take(_ mail: LoopMail) {
        switch mail {
        case .blobAnswered(let key, let answer):
            guard let session = session(key), case .asking(let request) = session.state else { return }
            self.answer(session, request, answer)
        case .blobBytes(let key, let bytes):
            guard let session = session(key), case .sending(let download) = session.state else { return }
            came(session, download, bytes)
        default: break
        }
    }

    private func answer(_ session: HTTPSession, _ request: HTTPRequest, _ answer: BlobAnswer) {
        let hasBody = !request.isHead
        switch answer {
        case .healthy: say(session, .ok, "ok\n", hasBody: hasBody)
        case .readOnly: say(session, .unavailable, "read-only\n", hasBody: hasBody)
        case .badToken: refuse(session, .unauthorized, closes: request.closes, hasBody: hasBody)
        case .notFound: refuse(session, .notFound, closes: request.closes, hasBody: hasBody)
        case .readable(let record): show(session, request, record)
        }
    }

    private func show(_ session: HTTPSession, _ request: HTTPRequest, _ record: BlobRecord) {
        let tag = "\"\(record.hash.hex)\""
        var range = 0..<record.size
        var status = HTTPStatus.ok
        switch HTTPSelection(request, tag: tag, size: record.size) {
        case .whole: break
        case .part(let first, let last): (range, status) = (first..<last + 1, .partialContent)
        case .notModified: status = .notModified
        case .preconditionFailed:
            return refuse(session, .preconditionFailed, closes: request.closes, hasBody: !request.isHead)
        case .notSatisfiable:
            return say(session, .rangeNotSatisfiable, nil, hasBody: true) {
                $0.add("Content-Range", "bytes */\(record.size)")
            }
        }
        var head = HTTPResponse(status, closes: request.closes)
        head.add("ETag", tag)
        head.add("Cache-Control", "private, immutable")
        guard status != .notModified else { return write(session, head.bytes()) }
        head.add("Accept-Ranges", "bytes")
        head.describe(record)
        head.add("Content-Length", String(range.count))
        if status == .partialContent {
            head.add("Content-Range", "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(record.size)")
        }
        if request.isHead || range.isEmpty { return write(session, head.bytes()) }
        let download = Download(record.hash, range, head: head)
        session.state = .sending(download)
        pump(session, download)
    }

    /// Answers that a request is not served.
    func refuse(_ session: HTTPSession, _ status: HTTPStatus, closes: Bool, hasBody: Bool = true) {
        session.closes = closes
        say(session, status, nil, hasBody: hasBody) { head in
            if status == .unauthorized { head.add("WWW-Authenticate", "Bearer realm=\"blobs\"") }
            if status == .methodNotAllowed { head.add("Allow", "GET, HEAD") }
        }
    }

    /// A short answer of text; without one it is the status in words.
    private func say(
        _ session: HTTPSession,
        _ status: HTTPStatus,
        _ text: String?,
        hasBody: Bool,
        _ add: (inout HTTPResponse) -> Void = { _ in }
    ) {
        let body = text ?? "\(status.reason)\n"
        var head = HTTPResponse(status, closes: session.closes)
        add(&head)
        head.add("Cache-Control", "no-store")
        head.add("Content-Type", "text/plain; charset=utf-8")
        head.add("Content-Length", String(body.utf8.count))
        write(session, head.bytes(body: hasBody ? body : ""))
    }

    private func write(_ session: HTTPSession, _ bytes: [UInt8]) {
        bytes.withUnsafeBytes { session.connection.write($0) }
        done(session)
    }
}
