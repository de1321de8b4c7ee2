import ChatClient
import Glibc
import SystemIO
import Wire

/// `fcc get`: downloads a blob over HTTPS from the blob port (protocol.md, Blobs).
struct GetCommand {
    let context: Context
    let blob: String
    /// Where to; nil for the name the server proposes, `-` for standard output.
    let destination: String?

    func run() throws(Failure) {
        do {
            try fetch()
        } catch {
            // An interrupt ends other commands quietly; here half a file is none.
            if error.text == nil, error.code == .done { throw Failure(.usage, "interrupted; nothing was kept") }
            throw error
        }
    }

    private func fetch() throws(Failure) {
        // Before anything is asked for: nothing is overwritten.
        if let destination, destination != "-" { try DownloadFile.check(destination) }
        let token = try context.token()
        let session = try context.greeted()
        guard let base = session.hello["blobs"], let endpoint = BlobAddress.endpoint(of: base) else {
            throw Failure(.refused, "the server names no address for blobs")
        }
        guard let address = BlobAddress(blob, base: base) else {
            let shown = VisibleText.line(blob)
            throw Failure(
                .usage,
                "\"\(shown)\" is no blob of this server (b_…, or a URL under \(VisibleText.line(base))/blobs/)"
            )
        }
        let connection = try Connection.open(endpoint, waiter: context.waiter)
        guard connection.fingerprint == session.connection.fingerprint else {
            throw Failure(
                .certificate,
                "the blob port \(endpoint) shows another certificate than \(context.endpoint); nothing was sent"
            )
        }
        connection.queue(
            "GET \(address.target) HTTP/1.1\r\nHost: \(endpoint)\r\nAuthorization: Bearer \(token)\r\n"
                + "User-Agent: \(Program.version)\r\nConnection: close\r\n\r\n"
        )
        try receive(BlobResponse(connection), address)
    }

    private func receive(_ response: BlobResponse, _ address: BlobAddress) throws(Failure) {
        let head = try response.head()
        guard head.status == 200 else { throw try Self.refusal(head, response) }
        guard let length = head.length else { throw .lost("the blob port does not say how long the blob is") }
        let name = DownloadName.safe(disposition: head["content-disposition"], lastPart: address.lastPart)
        let progress = Progress(name, context.invocation)
        defer { progress.end() }
        if destination == "-" {
            try response.body(length) { part, done throws(Failure) in
                try context.output.bytes(part)
                progress.show(done, of: length)
            }
            return
        }
        let path = destination ?? name
        try DownloadFile.check(path)
        let file = try DownloadFile(path)
        try response.body(length) { part, done throws(Failure) in
            try file.write(part)
            progress.show(done, of: length)
        }
        try file.keep()
        progress.end()
        try tell(path, head, length)
    }

    private func tell(_ path: String, _ head: HTTPHead, _ length: UInt64) throws(Failure) {
        if context.invocation.isJSON {
            let fields = [("path", path), ("type", head["content-type"] ?? ""), ("size", "\(length)")]
            let line = ServerLine(
                word: .ok,
                fields: fields.map { .init(key: $0.0, value: $0.1, isQuoted: $0.0 != "size") }
            )
            return try context.output.line(LineObject.text(of: line))
        }
        if !context.invocation.isQuiet { try context.output.line(VisibleText.line(path)) }
    }

    private static func refusal(_ head: HTTPHead, _ response: BlobResponse) throws(Failure) -> Failure {
        switch head.status {
        case 401: return Failure(.notSignedIn, "the session has ended; sign in again: fcc login NAME")
        case 404, 410: return Failure(.refused, "NOT-FOUND: there is no such blob, or not for you")
        default: return Failure(.refused, "the blob port answers \(head.status)")
        }
    }
}
