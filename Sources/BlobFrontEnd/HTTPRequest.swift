/// A request of the blob port, understood (RFC 9110, RFC 9112).
package struct HTTPRequest: Equatable, Sendable {
    package enum Place: Equatable, Sendable {
        case health
        /// Below `/blobs/`; what stands there in place of an id.
        case blob(String)
        case elsewhere
    }

    package let isHead: Bool
    package let place: Place
    /// The connection ends after the answer.
    package let closes: Bool
    /// Of `Authorization: Bearer …`.
    package let token: String?
    package let range: String?
    package let ifRange: String?
    package let ifMatch: String?
    package let ifNoneMatch: String?

    /// Reads a whole head, as `HTTPHeadScanner` found it.
    /// - Throws: `Refused` with the one status the head deserves.
    package init(head bytes: UnsafeRawBufferPointer) throws(Refused) {
        // Every byte above 0x7F was let through by the scanner; only values may have some.
        let lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false).map {
            UnsafeRawBufferPointer(rebasing: $0.last == 0x0D ? $0.dropLast() : $0)
        }
        let line = try HTTPRequestLine(lines.first ?? UnsafeRawBufferPointer(start: nil, count: 0))
        var fields = HTTPFields()
        for field in lines.dropFirst() where !field.isEmpty { try fields.add(field) }
        let host = try fields.host(isRequired: line.isPersistent)
        let hasBody = try fields.hasBody(isPersistent: line.isPersistent)
        closes = !line.isPersistent || fields.connectionHas("close")
        let method = try line.checkMethod(hasBody: hasBody, closes: closes)
        if let expect = fields[.expect], expect.lowercased() != "100-continue" { throw Refused(.expectationFailed) }
        // Content of GET has no meaning and has been used to smuggle requests (RFC 9110 section 9.3.1).
        if hasBody { throw Refused(.badRequest) }
        isHead = method == "HEAD"
        place = try HTTPTarget.place(line.target, host: host)
        token = fields.bearerToken
        (range, ifRange) = (fields[.range], fields[.ifRange])
        (ifMatch, ifNoneMatch) = (fields[.ifMatch], fields[.ifNoneMatch])
    }

    /// Why a head is no request that is served.
    package struct Refused: Error, Equatable {
        package let status: HTTPStatus
        /// Where the next request begins cannot be told, so the connection ends.
        package let closes: Bool
        init(_ status: HTTPStatus, closes: Bool = true) { (self.status, self.closes) = (status, closes) }
    }
}
