import Bytes
import ChatModel
import Engine
import Transport

extension BlobFrontEnd {
    func show(_ session: HTTPSession, _ request: HTTPRequest, _ record: BlobRecord) {
        let tag = record.hash.entityTag
        var range = 0..<record.size
        var status = HTTPStatus.ok
        switch HTTPSelection(request, tag: tag, size: record.size) {
        case .whole: break
        case .part(let first, let last): (range, status) = (first..<last + 1, .partialContent)
        case .notModified: status = .notModified
        case .preconditionFailed: return refuse(session, .preconditionFailed)
        case .notSatisfiable:
            return refuse(session, Refusal(.rangeNotSatisfiable), status: .rangeNotSatisfiable) {
                $0.add("Content-Range", "bytes */\(record.size)")
            }
        }
        var head = response(session, status)
        head.add("ETag", tag)
        head.add("Cache-Control", "private, immutable")
        guard status != .notModified else { return write(session, head) }
        head.add("Accept-Ranges", "bytes")
        head.describe(record)
        head.add("Content-Length", String(range.count))
        if status == .partialContent {
            head.add("Content-Range", "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(record.size)")
        }
        if request.isHead || range.isEmpty { return write(session, head) }
        head.end()
        session.state = .sending(Download(record.hash, range, head: head.bytes))
        markReady(session)
    }

    /// Answers that a request is not served.
    func refuse(_ session: HTTPSession, _ status: HTTPStatus) { refuse(session, Refusal(status), status: status) }

    /// The same where nothing more can be read.
    func refuseAndClose(_ session: HTTPSession, _ status: HTTPStatus) {
        session.closes = true
        refuse(session, status)
    }

    /// Answers by a refusal, as a JSON object.
    /// - Parameter status: nil for what the refusal's code stands for.
    func refuse(
        _ session: HTTPSession,
        _ refusal: Refusal,
        status: HTTPStatus? = nil,
        _ add: (inout HTTPResponse) -> Void = { _ in }
    ) {
        let status = status ?? HTTPStatus(refusal)
        var head = response(session, status)
        if status == .unauthorized {
            let error = refusal.code == .badAuth ? ", error=\"invalid_token\"" : ""
            head.add("WWW-Authenticate", "Bearer realm=\"blobs\"" + error)
        }
        if case .seconds(let seconds) = refusal.retry { head.add("Retry-After", String(seconds)) }
        add(&head)
        write(session, head, refusal.json, type: "application/json")
    }

    /// A short answer of text.
    func say(_ session: HTTPSession, _ status: HTTPStatus, _ text: String, type: String = "text/plain; charset=utf-8") {
        write(session, response(session, status), Array(text.utf8), type: type)
    }

    /// Ends an answer with a body that is not kept by anybody.
    func write(_ session: HTTPSession, _ head: HTTPResponse, _ body: [UInt8], type: String) {
        var head = head
        head.add("Cache-Control", "no-store")
        head.add("Content-Type", type)
        head.add("Content-Length", String(body.count))
        write(session, head, body: session.isHead ? [] : body)
    }

    /// Ends an answer.
    func write(_ session: HTTPSession, _ head: HTTPResponse, body: [UInt8] = []) {
        var head = head
        head.end()
        let bytes = head.bytes + body
        bytes.withUnsafeBytes { session.connection.write($0) }
        done(session)
    }
}
