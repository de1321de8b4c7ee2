import ChatTesting
import SystemIO

/// Sends numbered texts into one conversation and, whenever the connection is lost, repeats with the same nonces what
/// was not answered, as a client that wants neither loss nor doubles does.
final class StubbornSender: Sendable {
    private let daemon: RunningDaemon
    private let token: String
    private let room: String
    private let stem: String
    /// The texts that were acknowledged, in order, with their seqs.
    let acknowledged = Lock<[(text: String, seq: Int)]>([])

    init(_ daemon: RunningDaemon, token: String, room: String, stem: String) {
        (self.daemon, self.token, self.room, self.stem) = (daemon, token, room, stem)
    }

    /// Sends until `count` are acknowledged, or until `stop` says so.
    func run(count: Int, within seconds: Double = 90, until stop: @Sendable () -> Bool = { false }) throws {
        let end = monotonicSeconds() + seconds
        while monotonicSeconds() < end, acknowledged.withLock({ $0.count }) < count, !stop() {
            guard let client = try? daemon.client(), (try? client.request("AUTH token=\(token)"))?.isOK == true else {
                pauseThread(0.01)
                continue
            }
            do throws(ClientFailure) { try send(on: client, upTo: count, until: stop) } catch {
                guard error.isLoss else { throw error }
            }
        }
    }

    private func send(on client: TestClient, upTo count: Int, until stop: () -> Bool) throws(ClientFailure) {
        while !stop() {
            let from = acknowledged.withLock { $0.count }
            guard from < count else { return }
            let texts = (from..<min(count, from + 20)).map { "\(stem)-\($0)" }
            let tags = texts.map { _ in client.freshTag() }
            try client.send(zip(tags, texts).map { "@\($0) SEND nonce=\($1) \(room) \($1)\n" }.joined())
            for (tag, text) in zip(tags, texts) {
                let reply = try client.reply(to: tag, text)
                if reply.final.word == "BYE" { throw ClientFailure.ended(rest: "") }
                guard reply.isOK else { throw ClientFailure.unexpected(reply) }
                acknowledged.withLock { $0.append((text, reply.seq)) }
            }
        }
    }
}
