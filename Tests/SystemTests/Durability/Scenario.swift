import ChatTesting

/// A short life of a server in which every kind of write happens: start, sign-ups, messages in two conversations with a
/// subscriber, uploads, a snapshot with the turn of the journal, a batch, the end of uploads and of their files, sign-outs, a
/// new password, a clean stop.
///
/// It is the same each time. It goes on after refusals and ends where the connection is lost.
final class Scenario {
    static let firstPassword = "Secret123"
    static let secondPassword = "Secret456"
    static let upload = noise(5000)
    /// What becomes of further uploads, each of other bytes.
    enum Passing: String, CaseIterable {
        /// Sent with a message, which is deleted.
        case deleted
        /// Deleted by DEL-BLOB, when somebody has put the same bytes again.
        case doubled
        /// Never used, until its time is over.
        case unused

        var bytes: [UInt8] { noise(3000, seed: UInt64(rawValue.utf8.count)) }
    }

    let daemon: RunningDaemon
    private(set) var ledger = Ledger()
    private var clients: [TestClient] = []
    /// A connection that reads: ben's.
    private(set) var reader: TestClient?
    /// Looks at the server while it still runs, after the last request; false when it is to run on.
    var beforeEnd: () throws -> Bool = { true }

    /// So much is written before the snapshot that the journal fills a file ahead, which it then turns to.
    let fillsAhead: Bool

    init(_ daemon: RunningDaemon, fillsAhead: Bool = false) { (self.daemon, self.fillsAhead) = (daemon, fillsAhead) }

    /// The texts of each conversation, as they are when all was done.
    var texts: [String: [String]] {
        let room = ["r1", "r2", "r3", "picture", "r4", "p1", "p2", "p3", "p4", "p5", "r5"]
        return ["#room": room, "#lobby": ["l1", "l2"] + longTexts + ["l3"]]
    }

    private var longTexts: [String] {
        fillsAhead ? (10..<30).map { "long-\($0)-" + String(repeating: "x", count: 3800) } : []
    }

    /// - Throws: what `beforeEnd` does.
    func run() throws {
        do throws(RunningDaemon.Failure) { try daemon.start() } catch {
            ledger.startFailure = error.description
            return
        }
        let ben = try? connect(daemon.plainClient)
        reader = ben
        do throws(ClientFailure) { try play(ben: ben) } catch { ledger.loss = error }
        while let ben, let event = try? ben.event("msg", within: daemon.isAlive ? 0.05 : 2, ["conv": "#room"]) {
            ledger.heard.append(event.text ?? "")
        }
        guard daemon.isAlive else { return }
        let isOver = try beforeEnd()
        // A stop waits for clients that do not go by themselves.
        for client in clients { client.close() }
        if !isOver { return }
        ledger.exitCode = daemon.terminate()
    }

    private func connect(_ open: () throws(ClientFailure) -> TestClient) throws(ClientFailure) -> TestClient {
        let client = try open()
        clients.append(client)
        return client
    }

    private func play(ben: TestClient?) throws(ClientFailure) {
        let ann = try connect(daemon.plainClient)
        let token = try signUp(ann)
        if let ben { try meet(ann, ben) }
        for text in ["r1", "r2"] { try send(text, to: "#room", from: ann) }
        for text in ["l1", "l2"] { try send(text, to: "#lobby", from: ann) }
        try send("r3", to: "#room", from: ann)
        try sendPicture(from: ann)
        for passing in Passing.allCases { try put(passing, from: ann) }
        try fillAhead(from: ann)
        let admin = try connect(daemon.operatorClient)
        ledger.hasSnapshot = try write("ADMIN SNAPSHOT", admin) != nil
        try send("r4", to: "#room", from: ann)
        try send("l3", to: "#lobby", from: ann)
        try sendBatch(from: ann)
        try endUploads(from: ann, admin)
        try signOutEverywhere(token)
        let again = try changePassword(admin)
        try send("r5", to: "#room", from: again)
    }

    /// The reply to a request that writes; nil when it is refused.
    private func write(_ request: String, _ client: TestClient) throws(ClientFailure) -> Reply? {
        note(try client.request(request, within: 30), request)
    }

    private func note(_ reply: Reply, _ request: String) -> Reply? {
        ledger.writes.append(.init(request: request, isOK: reply.isOK, refusal: reply.isOK ? "" : reply.final.raw))
        return reply.isOK ? reply : nil
    }

    /// A change of how ann signs in: what counts is unsure until it was answered, and stays as it was when the server
    /// did not even try.
    private func change(
        _ request: String,
        _ client: TestClient,
        _ after: (Reply) -> Ledger.Credential
    ) throws(ClientFailure) -> Reply? {
        let before = ledger.credential
        ledger.credential = .unsure
        let reply = try write(request, client)
        if let reply {
            ledger.credential = after(reply)
        } else if ledger.writes.last?.refusal.contains("the server is read-only") == true {
            ledger.credential = before
        }
        return reply
    }

    private func signUp(_ ann: TestClient) throws(ClientFailure) -> String {
        let request = "SIGNUP name=ann ann@example.test \(Self.firstPassword)"
        let reply = try change(request, ann) { _ in .password(Self.firstPassword) }
        return reply?["token"] ?? ""
    }

    private func meet(_ ann: TestClient, _ ben: TestClient) throws(ClientFailure) {
        _ = try write("SIGNUP name=ben ben@example.test \(Self.firstPassword)", ben)
        ledger.hasRoom = try write("CREATE #room", ann) != nil
        _ = try write("JOIN #room", ben)
        _ = try ben.request("SUB #room")
    }

    private func send(_ text: String, to room: String, from ann: TestClient) throws(ClientFailure) {
        if try write(Self.request(text, room), ann) != nil { ledger.sent[room, default: []].append(text) }
    }

    static func request(_ text: String, _ room: String, blob: String = "") -> String {
        "SEND nonce=\(text.prefix(8)) \(blob.isEmpty ? "" : "blob=\(blob) ")\(room) \(text)"
    }

    private func sendPicture(from ann: TestClient) throws(ClientFailure) {
        guard let put = note(try ann.upload(Self.upload, "name=picture", within: 30), "PUT-BLOB") else { return }
        ledger.upload = path(of: put["url"])
        guard try write(Self.request("picture", "#room", blob: put["blob"] ?? ""), ann) != nil else { return }
        ledger.sent["#room", default: []].append("picture")
    }

    private func put(_ passing: Passing, from ann: TestClient) throws(ClientFailure) {
        guard let put = note(try ann.upload(passing.bytes, "name=\(passing)", within: 30), "PUT-BLOB") else { return }
        ledger.passing[passing] = .init(put)
    }

    /// The ends of uploads; the scenario goes on when the files are gone.
    private func endUploads(from ann: TestClient, _ admin: TestClient) throws(ClientFailure) {
        if let one = ledger.passing[.deleted], let seq = try write("SEND blob=\(one.id) @ben passing", ann)?.seq {
            _ = try end(.deleted, "DELETE @ben \(seq)", ann)
        }
        if let one = ledger.passing[.doubled] {
            let again = note(try ann.upload(Passing.doubled.bytes, "name=again", within: 30), "PUT-BLOB")
            ledger.double = again.map { path(of: $0["url"]) }
            _ = try end(.doubled, "DEL-BLOB \(one.id)", ann)
        }
        // The time of all that nothing uses is over at once.
        ledger.forgetUnused()
        if try end(.unused, "ADMIN SET limits.blob-unused 1", admin) {
            _ = holds(within: 5) { !self.daemon.isAlive || blobFiles(self.daemon).count <= 1 }
            _ = try write("ADMIN UNSET limits.blob-unused", admin)
        }
    }

    private func end(_ passing: Passing, _ request: String, _ client: TestClient) throws(ClientFailure) -> Bool {
        ledger.passing[passing]?.end = .unsure
        let isDone = try write(request, client) != nil
        if isDone, passing != .unused { ledger.passing[passing]?.end = .acknowledged }
        return isDone
    }

    private func fillAhead(from ann: TestClient) throws(ClientFailure) {
        if !fillsAhead { return }
        for text in longTexts { try send(text, to: "#lobby", from: ann) }
        // Where it cannot be made, the journal goes on without it.
        _ = holds(within: 3) { !daemon.isAlive || daemon.faults.calls.count { $0.path == "journal/spare" } >= 35 }
    }

    private func sendBatch(from ann: TestClient) throws(ClientFailure) {
        let texts = (1...5).map { "p\($0)" }
        let tags = texts.map { _ in ann.freshTag() }
        try ann.send(zip(tags, texts).map { "@\($0) \(Self.request($1, "#room"))\n" }.joined())
        for (tag, text) in zip(tags, texts) where note(try ann.reply(to: tag, text, within: 30), text) != nil {
            ledger.sent["#room", default: []].append(text)
        }
    }

    private func signOutEverywhere(_ token: String) throws(ClientFailure) {
        let laptop = try connect(daemon.plainClient)
        guard let reply = try write("AUTH ann \(Self.firstPassword)", laptop) else { return }
        if try write("LOGOUT all=yes", laptop) != nil { ledger.deadTokens = [token, reply["token"] ?? ""] }
    }

    private func changePassword(_ admin: TestClient) throws(ClientFailure) -> TestClient {
        let phone = try connect(daemon.plainClient)
        let reset = try change("ADMIN USER reset ann", admin) { .code($0["code"] ?? "") }
        guard let code = reset?["code"] else { return phone }
        guard try change("AUTH ann \(code)", phone, { .token($0["token"] ?? "") }) != nil else { return phone }
        _ = try change("PASSWD \(Self.secondPassword)", phone) { _ in .password(Self.secondPassword) }
        return phone
    }
}
