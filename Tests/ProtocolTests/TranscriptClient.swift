import ChatTesting

/// A transcript's connection to the real daemon, over TLS.
struct TranscriptClient: TranscriptConnection {
    private let client: TestClient

    init(to daemon: RunningDaemon) throws {
        client = try daemon.client(TestClient.Options(readsHi: false))
    }

    func send(_ line: String) throws { try client.send(line + "\n") }

    func receive() throws -> String? {
        do {
            return try client.line().raw
        } catch .ended(let rest) where rest.isEmpty {
            return nil
        }
    }

    func close() { client.close() }
}
