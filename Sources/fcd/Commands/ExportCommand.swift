import Bytes
import ChatModel
import Engine
import Glibc
import Storage
import Wire

/// `fcd export`: everything but secrets as lines of JSON on standard output, from the running daemon page by page, from the
/// data directory when there is none.
struct ExportCommand {
    private let data: String

    init(_ data: String) { self.data = data }

    func run(_ request: CommandRequest) throws(Failure) {
        guard let claim = try DataClaim.take(data) else { return try readDaemon(request) }
        let content: Content
        do throws(JournalFault) { content = try Recovery.inspect(data, limits: Limits()).0 } catch {
            throw Failure(error)
        }
        var place: DataPlace? = DataPlace()
        while let next = place {
            var out = ByteBuffer(capacity: 1 << 18)
            place = content.exported(from: next, budget: 1 << 17, into: &out)
            Output.write(String(decoding: out.readable, as: UTF8.self), to: STDOUT_FILENO)
        }
        withExtendedLifetime(claim) {}
    }

    private func readDaemon(_ request: CommandRequest) throws(Failure) {
        var client = try ControlClient.open(data)
        var after = ""
        while true {
            let page = try request.granted(try client.ask("ADMIN EXPORT\(after)"))
            let lines = page.rows.compactMap { $0["json"] }
            Output.write(lines.map { $0 + "\n" }.joined(), to: STDOUT_FILENO)
            guard page.last["more"] == "yes", let next = page.last["next"] else { return }
            after = " after=" + next
        }
    }
}
