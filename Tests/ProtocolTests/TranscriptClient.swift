import ChatTesting

/// A transcript's connection to the real daemon, over TLS.
struct TranscriptClient: TranscriptConnection {
    private let client: TestClient

    /// - Parameter isOperator: over the control socket instead.
    init(to daemon: RunningDaemon, isOperator: Bool) throws {
        client =
            isOperator
            ? try TestClient(control: daemon.control, readsHi: false)
            : try daemon.client(TestClient.Options(readsHi: false))
    }

    func send(_ line: String) throws { try client.send(line + "\n") }

    /// Every line but the greeting, whose `text=` is a number, is checked by the rules of the manual, too.
    func receive() throws -> String? {
        do {
            let bytes = try client.lineBytes(until: monotonicSeconds() + client.patience, for: "a line")
            let line = String(decoding: bytes, as: UTF8.self)
            return line.hasPrefix("HI ") ? line : try ReceivedLine(bytes).raw
        } catch ClientFailure.ended(let rest) where rest.isEmpty {
            return nil
        }
    }

    func close() { client.close() }
}
