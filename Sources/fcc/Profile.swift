import ChatClient

/// What is remembered between runs: the server, its certificate, and who is signed in there.
struct Profile: Codable, Equatable {
    /// `HOST:PORT`.
    var server: String?
    var user: String?
    /// A secret.
    var token: String?
    /// The SHA-256 of the server's certificate.
    var pin: String?

    /// The server, when one is remembered and well written.
    var endpoint: Endpoint? { server.flatMap { Endpoint($0) } }
    var fingerprint: Fingerprint? { pin.flatMap { Fingerprint($0) } }
}
