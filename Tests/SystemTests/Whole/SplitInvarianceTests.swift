import ChatTesting
import Testing

@Suite("Split invariance")
struct SplitInvarianceTests {
    /// About a hundred lines that touch every part of the grammar; `user` and `room` are new.
    static func script(user: String, room: String) -> [UInt8] {
        var text = "@a SIGNUP name=\(user) display=\"Ünï \\\"q\\\" \\u00e9\" \(user)@example.test\nSecret 123\r\n"
        text +=
            "@b WHOAMI\r\n\n   \n@c create TITLE \(room)\n@d CREATE title=\"Täg \\u00e9\" \(room)\r\n@e SUB since=0 \(room)\n"
        for number in 0..<25 {
            text +=
                "@f\(number) SEND nonce=n\(number % 20) \(room) text \(number) é 你好 👩‍👩‍👧 e\u{301} \u{301} :) a=b - \"x\"  \n"
            text += "@g\(number) ping \(number)\r\n"
        }
        text +=
            "@h SEND text=\"one\\ntwo \\\\ \\ud83c\\udf89\" \(room)\n@i SEND text=\"open \(room)\n@j HISTORY limit=5 \(room)\r\n"
        text +=
            "@k FROB x\n@l PING \u{7}\n@m PING a b\n@n HISTORY limit=05 \(room)\n@o \(String(repeating: "x", count: 17_000))\n"
        for number in 0..<20 {
            text += "@p\(number) HISTORY before=\(number + 3) limit=3 \(room)\n  @q\(number)   PiNg  \(number)  \n"
        }
        text +=
            "@r SUBS\n@s MEMBERS \(room)\r\n@t LOGOUT\n@u WHOAMI\n@v AUTH \(user)\nwrong one\n@w BYE\n@x PING never\n"
        return Array(text.utf8)
    }

    private struct Outcome {
        let replies: [String]
        let events: [String]

        /// The same replies; the events may stop earlier, because the script signs out while they are on their way.
        func agrees(with other: Outcome) -> Bool {
            replies == other.replies && (events.starts(with: other.events) || other.events.starts(with: events))
        }
    }

    /// What one script brings, sent in these pieces, with what differs from run to run masked.
    private func run(
        on daemon: RunningDaemon,
        _ isSecure: Bool,
        cut: ([UInt8]) -> [ArraySlice<UInt8>]
    ) throws -> Outcome {
        let user = SharedDaemon.name("cut")
        let room = "#" + SharedDaemon.name("split")
        let client = try daemon.client(.init(isSecure: isSecure))
        for piece in cut(Self.script(user: user, room: room)) { try client.send(piece) }
        let lines = try client.restOfStream(within: 60).map { line in
            line.raw.replacing(user, with: "USER").replacing(room, with: "ROOM")
                .replacing(/\ (ts|token|unread|next)=[^ ]+/, with: "")
        }
        return Outcome(
            replies: lines.filter { !$0.hasPrefix("EV ") },
            events: lines.filter { $0.hasPrefix("EV msg") }
        )
    }

    @Test(arguments: [true, false], [1, 2])
    func `any cut of the input gives the same replies`(isSecure: Bool, loops: Int) throws {
        let daemon = try SharedDaemon.with(loops: loops)
        let whole = try run(on: daemon, isSecure) { [$0[...]] }
        #expect(whole.replies.count > 100 && whole.replies.last?.hasPrefix("BYE OK") == true)
        #expect(whole.replies.filter { $0.hasPrefix("OK @f") }.count == 25)
        let single = try run(on: daemon, isSecure) { bytes in bytes.indices.map { bytes[$0...$0] } }
        #expect(single.agrees(with: whole))
        for end in [UInt8(ascii: "\r"), UInt8(ascii: "\n")] {
            let pieces = try run(on: daemon, isSecure) { $0.split(afterEach: end) }
            #expect(pieces.agrees(with: whole))
        }
        for seed in 1...4 as ClosedRange<UInt64> {
            var random = SeededRandom(seed: seed)
            let cut = try run(on: daemon, isSecure) { $0.randomPieces(upTo: seed == 1 ? 7 : 900, &random) }
            #expect(cut.agrees(with: whole), "seed \(seed)")
        }
    }

    @Test(arguments: [true, false])
    func `every cut in two of a short input gives the same replies`(secure: Bool) throws {
        let daemon = try SharedDaemon.with(loops: 2)
        let bytes = Array("@a PING é\r\n\n  @b  pInG 👩‍👩‍👧 \n@c PING \"x\" y\r\n@d FROB\n@e PING \u{1}\r\nBYE\n".utf8)
        var replies: Set<[String]> = []
        for cut in 0...bytes.count {
            let client = try daemon.client(.init(isSecure: secure))
            for part in [bytes[..<cut], bytes[cut...]] where !part.isEmpty { try client.send(part) }
            replies.insert(try client.restOfStream().map(\.raw))
        }
        #expect(replies.count == 1 && replies.first?.count == 7, "\(replies)")
    }
}

extension [UInt8] {
    /// The pieces that end after each such byte.
    fileprivate func split(afterEach byte: UInt8) -> [ArraySlice<UInt8>] {
        var pieces: [ArraySlice<UInt8>] = []
        var from = startIndex
        for index in indices where self[index] == byte || index == endIndex - 1 {
            pieces.append(self[from...index])
            from = index + 1
        }
        return pieces
    }

    /// Pieces of 1 to `most` bytes.
    fileprivate func randomPieces(upTo most: Int, _ random: inout SeededRandom) -> [ArraySlice<UInt8>] {
        var pieces: [ArraySlice<UInt8>] = []
        var from = startIndex
        while from < endIndex {
            let next = Swift.min(endIndex, from + Int.random(in: 1...most, using: &random))
            pieces.append(self[from..<next])
            from = next
        }
        return pieces
    }
}
