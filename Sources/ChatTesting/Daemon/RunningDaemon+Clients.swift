extension RunningDaemon {
    /// Why a test has no client: the daemon did not start, or the connection failed.
    private func port(_ key: String) -> UInt16 {
        guard let address = ready?[key], let colon = address.lastIndex(of: ":") else { return 0 }
        return UInt16(address[address.index(after: colon)...]) ?? 0
    }

    package var chatPort: UInt16 { port("chat") }
    package var plainPort: UInt16 { port("plain") }
    package var blobsPort: UInt16 { port("blobs") }

    /// A new connection: over TLS to the chat port, else to the plain one.
    package func client(_ options: TestClient.Options = .init()) throws(ClientFailure) -> TestClient {
        try TestClient(port: options.isSecure ? chatPort : plainPort, options)
    }

    /// A new connection without TLS.
    package func plainClient() throws(ClientFailure) -> TestClient {
        try client(TestClient.Options(isSecure: false))
    }

    /// The control socket's path.
    package var control: String { data + "/control.sock" }

    /// A new connection of the operator's.
    package func operatorClient() throws(ClientFailure) -> TestClient { try TestClient(control: control) }

    /// A connection on which `name` has just signed up.
    package func user(
        _ name: String,
        password: String = "Secret123",
        _ options: TestClient.Options = .init()
    ) throws(ClientFailure) -> TestClient {
        let client = try client(options)
        let reply = try client.ok("SIGNUP name=\(name) \(name)@example.test \(password)", within: 60)
        client.user = reply["user"] ?? ""
        client.token = reply["token"] ?? ""
        return client
    }

    /// One more connection of the same user, signed in by token.
    package func another(
        of user: TestClient,
        _ options: TestClient.Options = .init()
    ) throws(ClientFailure) -> TestClient {
        let client = try client(options)
        try client.ok("AUTH token=\(user.token)")
        client.user = user.user
        client.token = user.token
        return client
    }
}
