import SystemIO

/// What a scripted server heard in SENDs, by nonce.
final class Nonces: Sendable {
    private let state = SystemIO.Lock((texts: [String: String](), heard: 0))

    func note(_ request: String) {
        let words = request.split(separator: " ", maxSplits: 3).map(String.init)
        state.withLock {
            $0.texts[words[1]] = words[3]
            $0.heard += 1
        }
    }

    var texts: [String: String] { state.withLock { $0.texts } }
    var heard: Int { state.withLock { $0.heard } }
}
