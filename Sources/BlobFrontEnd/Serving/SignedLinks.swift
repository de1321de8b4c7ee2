import ChatModel
import Engine

/// What the query of a blob's address says of a signed link: `exp=SECONDS&sig=HEX`, as BLOB makes it.
package enum LinkQuery: Equatable, Sendable {
    /// It is none.
    case none
    case link(expires: UInt64, LinkSignature)
    /// It means to be one and cannot be.
    case unsound

    /// Reads what stands behind the `?`, as it came; every link has one spelling.
    package init(_ query: String?) {
        let parts = (query ?? "").utf8.split(separator: 0x26, omittingEmptySubsequences: false)
        guard parts.contains(where: { $0.starts(with: "sig=".utf8) }) else {
            self = .none
            return
        }
        self = parts.count == 2 ? Self.link(parts[0], parts[1]) : .unsound
    }

    private static func link(_ first: some Collection<UInt8>, _ second: some Collection<UInt8>) -> LinkQuery {
        let digits = first.dropFirst(4)
        guard first.starts(with: "exp=".utf8), second.starts(with: "sig=".utf8), (1...12).contains(digits.count),
            digits.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }), digits.first != 0x30,
            let signature = LinkSignature(hex: String(decoding: second.dropFirst(4), as: UTF8.self))
        else { return .unsound }
        return .link(expires: digits.reduce(0) { $0 * 10 + UInt64($1 - 0x30) }, signature)
    }
}

extension BlobFrontEnd {
    /// Asks for a blob: by its link, which needs no token, or by the token of somebody who may read it.
    func askForBlob(_ session: HTTPSession, _ request: HTTPRequest, _ id: String) {
        let blob = BlobID(id.utf8)
        let link = LinkQuery(request.query)
        let token = request.token.map { hash(of: $0, session) }
        if let blob, case .link(let expires, let signature) = link {
            let link = SignedLink(blob: blob, expires: expires, signature: signature)
            return ask(session, request, .follow(link, token))
        }
        if let token { return ask(session, request, .read(blob, token)) }
        // Of an address that would be a link it is not told what is wrong with it.
        refuse(session, link == .none ? HTTPStatus.unauthorized : .notFound)
    }
}
