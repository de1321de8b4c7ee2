import Bytes
import ChatModel
import Engine
import Transport

extension BlobFrontEnd {
    /// A whole head has come.
    func begin(_ session: HTTPSession, _ request: HTTPRequest) {
        switch (request.method, request.place) {
        case (.options, .uploads), (.options, .upload): ask(session, request, .limit)
        case (.options, let place): tellMethods(session, place)
        case (_, .health): ask(session, request, .health)
        case (_, .metrics): withToken(session, request) { .metrics($0) }
        case (.put, .blob(let name)): beginPut(session, request, name)
        case (_, .blob(let id)), (_, .blobPart(let id)): askForBlob(session, request, id)
        case (_, .uploads): makeUpload(session, request)
        case (_, .upload(let id)): useUpload(session, request, id)
        case (_, .server), (_, .elsewhere): refuse(session, HTTPStatus.notFound)
        }
    }

    func ask(_ session: HTTPSession, _ request: HTTPRequest, _ question: BlobQuestion) {
        session.state = .asking(request, question)
        outgoing.append(.blobAsked(session.key, question))
    }

    /// Asks for somebody who says by a token who he is.
    func withToken(_ session: HTTPSession, _ request: HTTPRequest, _ question: (TokenHash) -> BlobQuestion) {
        guard let token = request.token else { return refuse(session, .unauthorized) }
        ask(session, request, question(hash(of: token, session)))
    }

    func hash(of token: String, _ session: HTTPSession) -> TokenHash {
        if let known = session.lastToken, known.text == token { return known.hash }
        var text = token
        let hash = text.withUTF8 { works.tokenHash(UnsafeRawBufferPointer($0)) }
        session.lastToken = (token, hash)
        return hash
    }

    private func tellMethods(_ session: HTTPSession, _ place: HTTPPlace) {
        if place == .elsewhere { return refuse(session, HTTPStatus.notFound) }
        var head = response(session, .noContent)
        head.add("Allow", place.allow)
        write(session, head)
    }

    /// Takes mail for this port.
    package func take(_ mail: LoopMail) {
        switch mail {
        case .blobAnswered(let key, let answer):
            guard let session = session(key) else { return }
            switch session.state {
            case .asking(let request, let question): answered(session, request, question, answer)
            case .storing(let intake): stored(session, intake, answer)
            default: break
            }
        case .blobBytes(let key, let bytes):
            guard let session = session(key), case .sending(let download) = session.state else { return }
            came(session, download, bytes)
        case .uploadTaken(let key, let count):
            guard let session = session(key), case .receiving(let intake) = session.state else { return }
            intake.waiting -= count
            session.connection.resume()
        case .partial(let key, let news): if let session = session(key) { heard(session, news) }
        default: break
        }
    }

    private func answered(
        _ session: HTTPSession,
        _ request: HTTPRequest,
        _ question: BlobQuestion,
        _ answer: BlobAnswer
    ) {
        if case .upload = question {
            guard case .mayUpload = answer else {
                // Also where the engine let it come and could not say so.
                outgoing.append(.uploadEnded(session.key))
                return refuse(session, answer)
            }
        }
        switch answer {
        case .healthy: say(session, .ok, "ok\n")
        case .readOnly:
            if case .health = question {
                say(session, .unavailable, "read-only\n")
            } else {
                refuse(session, .unavailable)
            }
        case .metrics(let metrics):
            say(session, .ok, works.metrics(metrics), type: "text/plain; version=0.0.4; charset=utf-8")
        case .limit(let limit): tellOptions(session, limit)
        case .readable(let record): show(session, request, record)
        case .mayUpload(let most, let beyond): receive(session, request, question, most, beyond)
        case .partial(let upload): found(session, request, upload)
        case .whole(let record): found(session, request, record)
        case .badToken, .notFound, .refused, .stored: refuse(session, answer)
        }
    }

    /// Answers by a refusal of the engine.
    func refuse(_ session: HTTPSession, _ answer: BlobAnswer) {
        switch answer {
        case .badToken: refuse(session, Refusal(.badAuth, "this token is good for nothing"))
        case .notFound: refuse(session, HTTPStatus.notFound)
        case .readOnly: refuse(session, .unavailable)
        case .refused(let refusal): refuse(session, refusal)
        default: refuse(session, .internalError)
        }
    }
}
