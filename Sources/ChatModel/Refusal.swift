/// The closed list of codes (protocol.md, Codes).
package enum Code: String, Sendable, CaseIterable {
    case badLine = "BAD-LINE"
    case badVerb = "BAD-VERB"
    case badArg = "BAD-ARG"
    case tooLong = "TOO-LONG"
    case tooBig = "TOO-BIG"
    case needTLS = "NEED-TLS"
    case needAuth = "NEED-AUTH"
    case badAuth = "BAD-AUTH"
    case denied = "DENIED"
    case notFound = "NOT-FOUND"
    case exists = "EXISTS"
    case conflict = "CONFLICT"
    case gone = "GONE"
    case limit = "LIMIT"
    case quota = "QUOTA"
    case busy = "BUSY"
    case shutdown = "SHUTDOWN"
    case `internal` = "INTERNAL"
}

/// When the same request may be tried again: `retry=`.
package enum Retry: Hashable, Sendable {
    case no
    case now
    case seconds(Int)
}

/// The user may not, or asked for what cannot be: the whole of an `ERR` line but its tag.
package struct Refusal: Error, Sendable {
    package let code: Code
    package let retry: Retry
    /// The input at fault: `field=`.
    package let field: String?
    /// Further keys of the line, such as `limit=` and `got=`.
    package let details: [KeyValue]
    /// What a person reads behind ` - `.
    package let text: String

    package init(
        _ code: Code,
        retry: Retry = .no,
        field: String? = nil,
        details: [KeyValue] = [],
        _ text: String
    ) {
        (self.code, self.retry, self.field, self.details, self.text) = (code, retry, field, details, text)
    }
}

extension Refusal {
    package static func badArg(_ field: String, _ text: String) -> Refusal { Refusal(.badArg, field: field, text) }
    package static func exists(_ field: String, _ text: String) -> Refusal { Refusal(.exists, field: field, text) }
    package static func denied(_ text: String) -> Refusal { Refusal(.denied, text) }
    /// The one answer for "there is no such thing" and "you may not know that it exists".
    package static var notFound: Refusal { Refusal(.notFound, "there is no such thing, or not for you") }
    package static var needAuth: Refusal { Refusal(.needAuth, "sign in first: AUTH, SIGNUP or AUTH anonymous=yes") }
    /// The one answer for a wrong password, an unknown name and a dead token.
    package static var badAuth: Refusal { Refusal(.badAuth, "name, address, password or token is wrong") }
    /// A file that is too big.
    package static func tooBig(limit: UInt64, got: UInt64?) -> Refusal {
        let details: [KeyValue] = [.number("limit", limit)] + (got.map { [.number("got", $0)] } ?? [])
        return Refusal(.tooBig, field: "size", details: details, "the file is too big, in bytes")
    }
    /// No room for a file.
    package static func quota(used: UInt64, quota: Int) -> Refusal {
        let details: [KeyValue] = [.number("used", used), .number("quota", quota)]
        return Refusal(.quota, field: "size", details: details, "your storage is full")
    }
    package static func badLine(_ text: String) -> Refusal { Refusal(.badLine, text) }
}
