import Bytes
import ChatModel
import Wire

extension HTTPStatus {
    /// The status that says the same as a code of the protocol.
    init(_ refusal: Refusal) {
        self =
            switch refusal.code {
            case .badLine, .badVerb, .badArg, .tooLong, .needTLS: .badRequest
            case .needAuth, .badAuth: .unauthorized
            case .denied: .forbidden
            case .notFound: .notFound
            case .exists, .conflict: .conflict
            case .gone: .gone
            case .tooBig: .contentTooLarge
            case .quota: .insufficientStorage
            case .limit: .tooManyRequests
            case .busy, .shutdown: .unavailable
            case .internal: .internalError
            }
    }
}

extension Refusal {
    /// What the protocol would say where HTTP has a status of its own.
    init(_ status: HTTPStatus) {
        switch status {
        case .unauthorized: self.init(.needAuth, "a token is needed: Authorization: Bearer …")
        case .notFound: self = .notFound
        case .methodNotAllowed, .notImplemented: self.init(.badVerb, "this method is not served here")
        case .requestTimeout: self.init(.limit, retry: .now, "the request came too slowly")
        case .preconditionFailed: self.init(.conflict, "a condition of the request does not hold")
        case .contentTooLarge: self.init(.tooBig, "the content is too large")
        case .targetTooLong, .headTooLarge: self.init(.tooLong, "the head of the request is too long")
        case .unsupportedType: self.init(.badArg, field: "content-type", "content of this type is not taken here")
        case .rangeNotSatisfiable: self.init(.badArg, field: "range", "the file has no such bytes")
        case .expectationFailed: self.init(.badArg, field: "expect", "only 100-continue can be expected")
        case .checksumMismatch: self.init(.badArg, field: "upload-checksum", "the bytes have another checksum")
        case .unavailable: self.init(.busy, retry: .seconds(60), "the server is read-only")
        case .internalError: self.init(.internal, retry: .now, "the server could not do it")
        case .versionNotSupported: self.init(.badLine, "this port speaks HTTP/1.1")
        default: self.init(.badLine, "the request is malformed")
        }
    }

    /// The refusal as a JSON object, with a line end: what is `ERR` on the chat port.
    var json: [UInt8] {
        var fields: [KeyValue] = [.word("code", code.rawValue)]
        switch retry {
        case .no: fields.append(.word("retry", "no"))
        case .now: fields.append(.word("retry", "now"))
        case .seconds(let seconds): fields.append(.number("retry", seconds))
        }
        if let field { fields.append(.word("field", field)) }
        return JSONBody.object(fields + details + [.text("text", text)])
    }
}

/// Bodies of answers to programs.
enum JSONBody {
    /// The fields as an object, in their order, with a line end. Controls are escaped.
    static func object(_ fields: [KeyValue]) -> [UInt8] {
        var out = ByteBuffer()
        var mark: UInt8 = 0x7B
        for field in fields {
            out.append(byte: mark)
            mark = 0x2C
            JSONString.append(string: field.key, into: &out)
            out.append(byte: 0x3A)
            switch field.value {
            case .word(let text), .text(let text): JSONString.append(string: text, into: &out)
            case .number(let number): out.append(decimal: number)
            case .json(let json): out.append(string: json)
            case .flag(let flag): out.append(string: flag ? "true" : "false")
            case .time(let time):
                out.append(byte: 0x22)
                ValueRenderer.append(time: time, into: &out)
                out.append(byte: 0x22)
            }
        }
        if fields.isEmpty { out.append(byte: 0x7B) }
        out.append("}\n")
        return Array(out.readable)
    }
}
