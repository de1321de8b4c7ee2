import ChatTesting

/// A client of tus 1.0, by raw HTTP.
struct Tus {
    let daemon: RunningDaemon
    let token: String

    static let version = "Tus-Resumable: 1.0.0"
    static let piece = "Content-Type: application/offset+octet-stream"

    func ask(
        _ method: String,
        _ path: String = "/tus/",
        _ fields: [String] = [],
        body: [UInt8] = []
    ) throws -> HTTPAnswer {
        try daemon.exchange(method, path, token: token, [Self.version] + fields, body: body)
    }

    /// Makes an upload; its path.
    func make(_ length: Int, _ metadata: String? = nil) throws -> String {
        let fields = ["Upload-Length: \(length)"] + (metadata.map { ["Upload-Metadata: \($0)"] } ?? [])
        return try ask("POST", "/tus/", fields)["location"] ?? ""
    }

    func patch(_ path: String, at offset: Int, _ bytes: some Sequence<UInt8>, _ fields: String...) throws -> HTTPAnswer
    {
        try ask("PATCH", path, [Self.piece, "Upload-Offset: \(offset)"] + fields, body: Array(bytes))
    }

    /// The head of a PATCH whose content a test sends by itself.
    func head(_ path: String, _ fields: String...) -> String {
        let all = ["Host: a", "Authorization: Bearer \(token)", Self.version, Self.piece] + fields
        return "PATCH \(path) HTTP/1.1\r\n" + all.map { $0 + "\r\n" }.joined() + "\r\n"
    }

    /// Where an upload stands; nil when it is not there.
    func offset(_ path: String) throws -> Int? {
        let answer = try ask("HEAD", path)
        return answer.status == 200 ? Int(answer["upload-offset"] ?? "") : nil
    }

    /// The names of a daemon's files of uploads in pieces.
    static func files(_ daemon: RunningDaemon) -> [String] {
        (try? DirectoryContents(daemon.data + "/uploads"))?.files.keys.sorted() ?? []
    }
}
