extension TestClient {
    /// Sends a PUT-BLOB and its bytes in one go and waits for the reply.
    package func upload(
        _ bytes: [UInt8],
        type: String = "application/octet-stream",
        _ options: String = "",
        within seconds: Double? = nil
    ) throws(ClientFailure) -> Reply {
        let tag = freshTag()
        try send(Array("@\(tag) PUT-BLOB size=\(bytes.count) type=\(type) \(options)\n".utf8) + bytes)
        return try reply(to: tag, "PUT-BLOB \(options)", within: seconds)
    }
}

extension RunningDaemon {
    package func http(receiveBuffer: Int32? = nil, readSize: Int = 65_536) throws(ClientFailure) -> HTTPClient {
        try HTTPClient(port: blobsPort, receiveBuffer: receiveBuffer, readSize: readSize)
    }

    /// One request on a connection of its own, whose end is waited for.
    /// - Parameter fields: further header lines, without their ends.
    package func fetch(
        _ path: String,
        method: String = "GET",
        token: String? = nil,
        _ fields: String...
    ) throws(ClientFailure) -> HTTPAnswer {
        let client = try http()
        let credentials = token.map { ["Authorization: Bearer \($0)"] } ?? []
        let lines = ["\(method) \(path) HTTP/1.1", "Host: localhost", "Connection: close"] + credentials + fields
        try client.send(lines.joined(separator: "\r\n") + "\r\n\r\n")
        let answer = try client.answer(hasBody: method != "HEAD")
        guard try client.rest().isEmpty else { throw .outOfPlace("bytes behind the answer") }
        return answer
    }
}

extension RunningDaemon {
    /// One request with content on a connection of its own, whose end is waited for.
    /// - Parameter fields: further header lines, without their ends; `Content-Length` is added.
    package func exchange(
        _ method: String,
        _ path: String,
        token: String? = nil,
        _ fields: [String] = [],
        body: [UInt8] = []
    ) throws(ClientFailure) -> HTTPAnswer {
        let client = try http()
        let credentials = token.map { ["Authorization: Bearer \($0)"] } ?? []
        let length = ["Content-Length: \(body.count)"]
        let lines =
            ["\(method) \(path) HTTP/1.1", "Host: localhost", "Connection: close"] + credentials + length + fields
        try client.send(Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8) + body)
        let answer = try client.answer(hasBody: method != "HEAD")
        guard try client.rest().isEmpty else { throw .outOfPlace("bytes behind the answer") }
        return answer
    }
}

extension HTTPAnswer {
    /// A value of the JSON object in the body that is a string or a number, as text.
    package func json(_ key: String) -> String? {
        let text = String(decoding: body, as: UTF8.self)
        guard let start = text.firstRange(of: "\"\(key)\":") else { return nil }
        let rest = text[start.upperBound...]
        if rest.first == "\"" { return String(rest.dropFirst().prefix { $0 != "\"" }) }
        return String(rest.prefix { $0 != "," && $0 != "}" })
    }
}

/// The path of a URL, which a test asks of the daemon it knows.
package func path(of url: String?) -> String {
    let parts = (url ?? "").split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
    return parts.count == 4 ? "/" + parts[3] : "no URL"
}

/// A whole picture of one pixel (PNG).
package let tinyPicture: [UInt8] = [
    0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0x00, 0x00, 0x00, 0x0d, 0x49, 0x48, 0x44, 0x52, 0x00, 0x00, 0x00,
    0x01,
    0x00, 0x00, 0x00, 0x01, 0x08, 0x06, 0x00, 0x00, 0x00, 0x1f, 0x15, 0xc4, 0x89, 0x00, 0x00, 0x00, 0x0d, 0x49, 0x44,
    0x41,
    0x54, 0x78, 0x9c, 0x63, 0x60, 0xf8, 0xcf, 0x50, 0x00, 0x00, 0x03, 0x83, 0x01, 0x81, 0xb5, 0xd2, 0xb2, 0xe4, 0x00,
    0x00,
    0x00, 0x00, 0x49, 0x45, 0x4e, 0x44, 0xae, 0x42, 0x60, 0x82,
]
