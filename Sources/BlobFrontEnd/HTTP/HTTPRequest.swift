/// A request of the blob port, understood (RFC 9110, RFC 9112).
package struct HTTPRequest: Equatable, Sendable {
    package let method: HTTPMethod
    package let place: HTTPPlace
    /// Behind the `?`, as it came.
    package let query: String?
    /// The connection ends after the answer.
    package let closes: Bool
    package let framing: HTTPFraming
    /// The client waits for `100 Continue` before it sends its content.
    package let expectsContinue: Bool
    package let fields: HTTPFields

    package var isHead: Bool { method == .head }
    /// Of `Authorization: Bearer …`.
    package var token: String? { fields.bearerToken }

    /// Reads a whole head, as `HTTPHeadScanner` found it.
    /// - Throws: `Refused` with the one status the head deserves.
    package init(head bytes: UnsafeRawBufferPointer) throws(Refused) {
        // Every byte above 0x7F was let through by the scanner; only values may have some.
        var rest = bytes[...]
        let line = try HTTPRequestLine(Self.nextLine(&rest))
        var fields = HTTPFields()
        while !rest.isEmpty {
            let field = Self.nextLine(&rest)
            if !field.isEmpty { try fields.add(field) }
        }
        let host = try fields.host(isRequired: line.isPersistent)
        framing = try fields.framing(isPersistent: line.isPersistent)
        closes = !line.isPersistent || fields.connectionHas("close")
        let endsWithHead = framing == .none && !closes
        guard var method = line.method else { throw Refused(.notImplemented, closes: !endsWithHead) }
        if method == .connect { throw Refused(.methodNotAllowed, allow: "") }
        let (place, query) = try HTTPTarget.place(line.target, host: host, method: method)
        if place.isTus, method == .post, let other = fields[.methodOverride] {
            // tus 1.0, X-HTTP-Method-Override: for clients whose surroundings know only GET and POST.
            guard let named = HTTPMethod(rawValue: other) else { throw Refused(.notImplemented, isTus: true) }
            method = named
        }
        if !place.takes(method) {
            throw Refused(.methodNotAllowed, closes: !endsWithHead, allow: place.allow, isTus: place.isTus)
        }
        if let expect = fields[.expect], expect.lowercased() != "100-continue" { throw Refused(.expectationFailed) }
        if framing != .none, !method.takesContent { throw Refused(.badRequest) }
        // A server ignores the expectation of a request before HTTP/1.1 (RFC 9110 section 10.1.1).
        expectsContinue = fields[.expect] != nil && framing != .none && line.isPersistent
        (self.method, self.place, self.query, self.fields) = (method, place, query, fields)
    }

    /// Takes a line off the front, without its end.
    private static func nextLine(_ rest: inout Slice<UnsafeRawBufferPointer>) -> UnsafeRawBufferPointer {
        let end = rest.firstIndex(of: 0x0A) ?? rest.endIndex
        let line = rest[..<end]
        rest = rest[end...].dropFirst()
        return UnsafeRawBufferPointer(rebasing: line.last == 0x0D ? line.dropLast() : line)
    }

    /// Why a head is no request that is served.
    package struct Refused: Error, Equatable {
        package let status: HTTPStatus
        /// Where the next request begins cannot be told, so the connection ends.
        package let closes: Bool
        /// `Allow` of a 405.
        package let allow: String?
        package let isTus: Bool
        init(_ status: HTTPStatus, closes: Bool = true, allow: String? = nil, isTus: Bool = false) {
            (self.status, self.closes, self.allow, self.isTus) = (status, closes, allow, isTus)
        }
    }
}
