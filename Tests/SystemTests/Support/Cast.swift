import ChatTesting

/// A conversation with somebody in each role, and with those who are not in it.
struct Cast {
    let scene: Scene
    let room: String
    let owner: TestClient
    let op: TestClient
    let member: TestClient
    let reader: TestClient
    /// Accounts that are not members: never were, are no more, may not be again; and a guest.
    let outsider: TestClient
    let ejected: TestClient
    let banned: TestClient
    let guest: TestClient

    init(_ loops: Int, isPrivate: Bool) throws {
        scene = try Scene(loops)
        (owner, op, member) = (try scene.user("owner"), try scene.user("op"), try scene.user("member"))
        (reader, outsider, guest) = (try scene.user("reader"), try scene.user("outsider"), try scene.guest())
        (ejected, banned) = (try scene.user("ejected"), try scene.user("banned"))
        room = try scene.room(of: owner, isPrivate: isPrivate, op, member, reader, ejected, banned)
        try owner.ok("GRANT role=op \(room) \(op.user)")
        try owner.ok("GRANT role=reader \(room) \(reader.user)")
        try owner.ok("EJECT \(room) \(ejected.user)")
        try owner.ok("BAN \(room) \(banned.user)")
    }

    /// One more member.
    func another(_ stem: String = "other") throws -> TestClient {
        let other = try scene.user(stem)
        try owner.ok("INVITE \(room) \(other.user)")
        try other.ok("JOIN \(room)")
        return other
    }

    /// Those who are not in the conversation.
    var strangers: [TestClient] { [outsider, ejected, banned, guest] }
}
