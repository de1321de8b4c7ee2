/// The fields of a request that mean something here (RFC 9110 section 5). A field that may stand once and stands twice is
/// refused; others are passed over.
package struct HTTPFields: Equatable, Sendable {
    package enum Name: String, CaseIterable, Sendable {
        case host
        case contentLength = "content-length"
        case transferEncoding = "transfer-encoding"
        case connection
        case authorization
        case expect
        case range
        case ifRange = "if-range"
        case ifMatch = "if-match"
        case ifNoneMatch = "if-none-match"
        case contentType = "content-type"
        case contentEncoding = "content-encoding"
        case contentRange = "content-range"
        case methodOverride = "x-http-method-override"
        case tusVersion = "tus-resumable"
        case uploadLength = "upload-length"
        case uploadOffset = "upload-offset"
        case uploadMetadata = "upload-metadata"
        case uploadChecksum = "upload-checksum"
        case uploadDeferLength = "upload-defer-length"
        case uploadConcat = "upload-concat"

        /// By the bytes of their spellings, so that a name is compared with few.
        private static let bySize = Dictionary(grouping: allCases) { $0.rawValue.utf8.count }

        /// Nil for one that means nothing here; case does not count (RFC 9110 section 5.1).
        init?(letters: Slice<UnsafeRawBufferPointer>) {
            // A letter's bit for small is set in all else that stands in a name here.
            let isSame: (UInt8, UInt8) -> Bool = { $0 | 0x20 == $1 }
            for name in Self.bySize[letters.count] ?? [] where letters.elementsEqual(name.rawValue.utf8, by: isSame) {
                self = name
                return
            }
            return nil
        }

        /// A list: several lines are one, with commas.
        var isList: Bool {
            switch self {
            case .connection, .ifMatch, .ifNoneMatch, .transferEncoding: true
            default: false
            }
        }
    }

    private struct Field: Equatable, Sendable {
        let name: Name
        var value: String
    }

    /// In the order in which they came; a request has few that mean something.
    private var fields: [Field] = []

    package subscript(name: Name) -> String? { fields.first { $0.name == name }?.value }

    /// Takes one line: `name: value`. No blank before the colon, no line that goes on from the one before (obs-fold).
    mutating func add(_ line: UnsafeRawBufferPointer) throws(HTTPRequest.Refused) {
        guard let colon = line.firstIndex(of: 0x3A), colon > 0, line[..<colon].allSatisfy(HTTPSyntax.isTokenByte),
            line[(colon + 1)...].allSatisfy(HTTPSyntax.isValueByte)
        else { throw .init(.badRequest) }
        guard let name = Name(letters: line[..<colon]) else { return }
        let isBlank: (UInt8) -> Bool = { $0 == 0x20 || $0 == 0x09 }
        var value = line[(colon + 1)...].drop(while: isBlank)
        while let last = value.last, isBlank(last) { value = value.dropLast() }
        let text = String(decoding: UnsafeRawBufferPointer(rebasing: value), as: UTF8.self)
        if let before = fields.firstIndex(where: { $0.name == name }) {
            guard name.isList else { throw .init(.badRequest) }
            fields[before].value += "," + text
        } else {
            fields.append(Field(name: name, value: text))
        }
    }

    /// The one Host, nil when a request before HTTP/1.1 has none.
    func host(isRequired: Bool) throws(HTTPRequest.Refused) -> String? {
        guard let host = self[.host] else {
            if isRequired { throw .init(.badRequest) }
            return nil
        }
        guard HTTPSyntax.isHost(host[...].utf8) else { throw .init(.badRequest) }
        return host
    }

    /// How much content follows the head (RFC 9112 section 6). Whatever could be read in two ways is refused.
    func framing(isPersistent: Bool) throws(HTTPRequest.Refused) -> HTTPFraming {
        if let encoding = self[.transferEncoding] {
            guard self[.contentLength] == nil, isPersistent else { throw .init(.badRequest) }
            let codings = Self.list(encoding)
            guard codings.last == "chunked", codings.dropLast().allSatisfy({ $0 != "chunked" }) else {
                throw .init(codings.contains("chunked") || codings.isEmpty ? .badRequest : .notImplemented)
            }
            if codings.count > 1 { throw .init(.notImplemented) }
            return .chunked
        }
        guard let length = self[.contentLength] else { return .none }
        guard let number = HTTPSyntax.number(length[...].utf8), number != .max else { throw .init(.badRequest) }
        return number > 0 ? .length(number) : .none
    }

    func connectionHas(_ option: String) -> Bool { self[.connection].map { Self.list($0).contains(option) } ?? false }

    /// The token of `Authorization: Bearer token` (RFC 6750 section 2.1).
    var bearerToken: String? {
        guard let value = self[.authorization] else { return nil }
        let scheme = value.utf8.prefix { $0 != 0x20 }
        guard scheme.count == 6, zip(scheme, "bearer".utf8).allSatisfy({ $0 | 0x20 == $1 }) else { return nil }
        var token = value.utf8.dropFirst(6).drop { $0 == 0x20 }
        while token.last == 0x20 { token = token.dropLast() }
        return token.isEmpty || token.contains(0x20) ? nil : String(Substring(token))
    }

    /// The elements of a list, in lower case, without empty ones.
    static func list(_ value: String) -> [String] {
        value.utf8.split(separator: 0x2C).map { element in
            var text = element.drop { $0 == 0x20 || $0 == 0x09 }
            while text.last == 0x20 || text.last == 0x09 { text = text.dropLast() }
            return String(decoding: text, as: UTF8.self).lowercased()
        }.filter { !$0.isEmpty }
    }
}
