import ChatTesting

/// The stage of one test: a shared daemon, and users and rooms that no other test knows.
struct Scene {
    let daemon: RunningDaemon

    init(_ loops: Int) throws { daemon = try SharedDaemon.with(loops: loops) }

    /// A connection on which a new user has just signed up.
    func user(_ stem: String = "ann", _ options: TestClient.Options = .init()) throws -> TestClient {
        try daemon.user(SharedDaemon.name(stem), options)
    }

    /// A connection of a new guest.
    func guest() throws -> TestClient {
        let client = try daemon.client()
        let reply = try client.ok("AUTH anonymous=yes")
        client.user = reply["user"] ?? ""
        client.token = reply["token"] ?? ""
        return client
    }

    /// A name for a conversation, which does not exist yet.
    func roomName(_ stem: String = "room") -> String { "#" + SharedDaemon.name(stem) }

    /// A new conversation of `owner` with these members.
    func room(
        of owner: TestClient,
        isPrivate: Bool = false,
        _ members: TestClient...
    ) throws -> String {
        let name = roomName()
        try owner.ok("CREATE \(isPrivate ? "private=yes " : "")\(name)")
        for member in members {
            if isPrivate { try owner.ok("INVITE \(name) \(member.user)") }
            try member.ok("JOIN \(name)")
        }
        return name
    }
}
