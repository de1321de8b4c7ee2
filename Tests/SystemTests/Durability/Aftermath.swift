import ChatTesting
import Testing

/// A server started again, or set to writing again, after a `Scenario` that went wrong somewhere, held against what was acknowledged.
struct Aftermath {
    let scenario: Scenario
    /// What went wrong.
    let about: Comment

    private var daemon: RunningDaemon { scenario.daemon }
    private var ledger: Ledger { scenario.ledger }

    /// Starts it unless it runs, looks, repeats everything, and sees that a second restart changes nothing.
    func check() throws {
        if !daemon.isAlive { try daemon.start() }
        let (ann, token) = try signIn()
        try checkMessages(ann)
        try checkSessions()
        try checkUpload(token)
        let snapshot = SnapshotDirectory(daemon)
        #expect(snapshot.generation > 0 || !ledger.hasSnapshot, about)
        #expect(snapshot.generation == 0 || snapshot.files == snapshot.named, about)
        let whole = try repeatEverything(ann)
        ann.close()
        #expect(daemon.terminate() == 0, about)
        let verdict = try FcdRun(["check"], data: daemon.data)
        #expect(verdict.code == 0, "\(about): \(verdict.output)\(verdict.errors)")
        let said = daemon.errors.utf8.count
        try daemon.start()
        let again = try daemon.plainClient()
        try again.ok("AUTH token=\(token)")
        for (room, texts) in whole { #expect(try again.allTexts(of: room) == texts, about) }
        daemon.kill()
        let log = String(decoding: daemon.errors.utf8.dropFirst(said), as: UTF8.self)
        #expect(!log.contains(" error ") && !log.contains("cut off"), "\(about): \(log)")
    }

    /// ann's connection, opened by what must open it, and the token of its session.
    private func signIn() throws -> (TestClient, token: String) {
        let ann = try daemon.plainClient()
        var reply: Reply
        switch ledger.credential {
        case .password(let password): reply = try ann.ok("AUTH ann \(password)")
        case .code(let word):
            reply = try ann.ok("AUTH ann \(word)")
            try ann.ok("PASSWD \(Scenario.secondPassword)")
        case .token(let word):
            reply = try ann.ok("AUTH token=\(word)")
            try ann.ok("PASSWD \(Scenario.secondPassword)")
        case .none, .unsure:
            reply = try ann.request("SIGNUP name=ann ann@example.test \(Scenario.firstPassword)")
            if reply.isOK { break }
            #expect(reply.code == "EXISTS", "\(about): \(reply)")
            let code = try #require(try daemon.operatorClient().ok("ADMIN USER reset ann")["code"])
            reply = try ann.ok("AUTH ann \(code)")
            try ann.ok("PASSWD \(Scenario.secondPassword)")
        }
        return (ann, reply["token"] ?? "")
    }

    /// What was acknowledged, or heard, is there once and in order; what else is there was under way.
    private func checkMessages(_ ann: TestClient) throws {
        for (room, all) in scenario.texts {
            let acknowledged = ledger.sent[room] ?? []
            if room == "#room", !ledger.hasRoom {
                #expect(acknowledged.isEmpty, about)
                continue
            }
            let texts = try ann.allTexts(of: room)
            #expect(Set(texts).count == texts.count, "\(about): doubles in \(texts)")
            #expect(texts.filter { acknowledged.contains($0) } == acknowledged, "\(about): \(texts)")
            #expect(texts == all.filter { texts.contains($0) }, "\(about): the order of \(texts)")
            if room == "#room" { #expect(Set(ledger.heard).isSubset(of: Set(texts)), "\(about): \(ledger.heard)") }
        }
    }

    /// Sessions whose end was acknowledged have ended, and a password that was taken away opens nothing.
    private func checkSessions() throws {
        for token in ledger.deadTokens {
            try daemon.plainClient().expectRefusal("AUTH token=\(token)", "BAD-AUTH")
        }
        switch ledger.credential {
        case .code, .token, .password(Scenario.secondPassword):
            try daemon.plainClient().expectRefusal("AUTH ann \(Scenario.firstPassword)", "BAD-AUTH")
        case .none, .unsure, .password: break
        }
    }

    private func checkUpload(_ token: String) throws {
        for (passing, upload) in ledger.passing {
            let answer = try daemon.fetch(upload.path, token: token)
            switch upload.end {
            case .none: #expect(answer.status == 200 && answer.body == passing.bytes, "\(about): \(passing)")
            case .unsure: #expect(answer.status == 404 || answer.body == passing.bytes, "\(about): \(passing)")
            case .acknowledged: #expect(answer.status == 404, "\(about): \(passing)")
            }
        }
        if let double = ledger.double {
            #expect(try daemon.fetch(double, token: token).body == Scenario.Passing.doubled.bytes, about)
        }
        guard let upload = ledger.upload else { return }
        let answer = try daemon.fetch(upload, token: token)
        #expect(answer.status == 200 && answer.body == Scenario.upload, about)
    }

    /// A client that got no answer asks again with the same nonces: nothing is there twice.
    /// - Returns: the texts of each conversation.
    private func repeatEverything(_ ann: TestClient) throws -> [String: [String]] {
        let reply = try ann.request("CREATE #room")
        #expect(reply.isOK || reply.code == "EXISTS", "\(about): \(reply)")
        let blob = try ann.upload(Scenario.upload, "name=picture")["blob"] ?? ""
        var whole: [String: [String]] = [:]
        for (room, texts) in scenario.texts {
            let before = try ann.allTexts(of: room)
            for text in texts {
                let sent = try ann.ok(Scenario.request(text, room, blob: text == "picture" ? blob : ""))
                #expect(before.contains(text) == (sent["dup"] == "yes"), "\(about): \(sent)")
            }
            whole[room] = before + texts.filter { !before.contains($0) }
            #expect(try ann.allTexts(of: room) == whole[room], about)
        }
        return whole
    }
}
