import ChatModel
import ChatTesting
import Testing

@testable import Engine

@Suite("Banned addresses in the engine") struct AddressBanTests {
    private let stage = Stage(loops: 2)

    /// What each loop was told of bans.
    private var told: [[String]] {
        stage.mail.map { mail in
            mail.compactMap {
                if case .ban(let prefix, let isOn) = $0 { prefix + (isOn ? " on" : " off") } else { nil }
            }
        }
    }

    private func ban(_ prefix: String, isOn: Bool = true) throws -> ChatModel.Reply {
        let reply = try stage.engine.ban(address: prefix, isOn: isOn)
        stage.handle(.tick(residentBytes: 0))
        return reply
    }

    private func isRepeat(_ reply: ChatModel.Reply) -> Bool {
        guard case .done(_, let fields) = reply else { return false }
        return fields.contains { $0.key == "dup" }
    }

    @Test func `every loop hears of it once it is on disk`() throws {
        #expect(try !isRepeat(ban("10.0.0.0/8")))
        #expect(told == [[], []])
        stage.sync()
        #expect(told == [["10.0.0.0/8 on"], ["10.0.0.0/8 on"]])
        #expect(try !isRepeat(ban("10.0.0.0/8", isOn: false)))
        stage.sync()
        #expect(told[1] == ["10.0.0.0/8 on", "10.0.0.0/8 off"])
        #expect(stage.engine.bannedAddresses == [])
    }

    @Test func `what changes nothing is not written down`() throws {
        _ = try ban("10.0.0.0/8")
        stage.sync()
        let count = try stage.records.count
        #expect(try isRepeat(ban("10.0.0.0/8")) && isRepeat(ban("10.0.0.0/9", isOn: false)))
        #expect(try stage.records.count == count)
        #expect(told[0].count == 1)
    }

    @Test func `a ban that did not get to disk has not happened`() throws {
        _ = try ban("10.0.0.0/8")
        try stage.failJournal()
        #expect(told == [[], []])
        #expect(stage.engine.bannedAddresses == [])
        #expect(throws: Refusal.self) { try ban("10.0.0.0/8") }
    }

    @Test func `a thousand may stand, and they are listed in pages`() throws {
        for number in 0..<1000 { _ = try ban("10.0.\(number / 250).\(number % 250)") }
        #expect(throws: Refusal.self) { try ban("11.0.0.0/8") }
        #expect(stage.engine.bannedAddresses.count == 1000)
        stage.sync()
        let desk = stage.operatorConnection()
        var (seen, after) = ([String](), "")
        while true {
            let lines = stage.ask(desk, "ADMIN BANS \(after)limit=200")
            seen += lines.dropLast().map { $0.field("prefix") }
            guard lines.last == "OK n=200 more=yes", let last = seen.last else { break }
            after = "after=\(last) "
        }
        #expect(seen == stage.engine.bannedAddresses)
        _ = try ban("10.0.0.0", isOn: false)
        _ = try ban("11.0.0.0/8")
        #expect(stage.engine.bannedAddresses.last == "11.0.0.0/8")
    }
}
