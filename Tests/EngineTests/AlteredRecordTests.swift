import Bytes
import ChatModel
import ChatTesting
import Engine
import Foundation
import Testing

@testable import Storage

/// A record's checksum tells damage, not intent: whoever can write the file can make a sum that fits.
@Suite("Altered records") struct AlteredRecordTests {
    private let payloads: [[UInt8]]

    init() throws {
        let stage = Stage()
        let (ada, bob) = (stage.signUp("ada"), stage.signUp("bob"))
        let guest = stage.connect()
        _ = stage.ask(guest, "AUTH anonymous=yes")
        for request in [
            "CREATE title=\"A room\" #room", "CREATE private=yes #den", "SEND nonce=1 #room hello", "INVITE #den bob",
            "SEND reply=2 geo=1.5,-2 #room text=\"a\\nb\"", "SEND nonce=2 @bob hi",
        ] { _ = stage.ask(ada, request) }
        for request in ["JOIN #room", "JOIN #den", "SEND #den yes", "LEAVE #room", "SEND @ada ho", "LOGOUT all=yes"] {
            _ = stage.ask(bob, request)
        }
        _ = stage.ask(guest, "SEND #lobby I was here")
        let desk = stage.operatorConnection()
        for request in ["ADMIN USER reset bob", "ADMIN USER disable bob"] { _ = stage.ask(desk, request) }
        payloads = try stage.journal.withUnsafeBytes { whole in
            var (all, at): ([[UInt8]], Int) = ([], 0)
            while at < whole.count {
                let rest = UnsafeRawBufferPointer(rebasing: whole[at...])
                guard case .record(let record) = JournalRecord.parse(rest) else {
                    throw JournalledRecord.Unsound(offset: at)
                }
                all.append(Array(rest[record.payload]))
                at += record.length
            }
            return all
        }
    }

    /// One payload with a few bytes of it changed, taken out, doubled or taken from another.
    private func altered(_ random: inout SeededRandom) -> (index: Int, bytes: [UInt8]) {
        let index = Int.random(in: payloads.indices, using: &random)
        var bytes = payloads[index]
        for _ in 0...Int.random(in: 0...2, using: &random) where !bytes.isEmpty {
            let at = Int.random(in: bytes.indices, using: &random)
            let length = min(bytes.count - at, Int.random(in: 1...8, using: &random))
            switch Int.random(in: 0...5, using: &random) {
            case 0: bytes[at] = UInt8.random(in: 0x20...0x7E, using: &random)
            case 1: bytes.removeSubrange(at..<at + length)
            case 2: bytes.insert(contentsOf: bytes[at..<at + length], at: at)
            case 3:
                if let number = ["0", "99999999999", "18446744073709551615", "-1", " "].randomElement(using: &random) {
                    bytes.replaceSubrange(at..<at + 1, with: Array(number.utf8))
                }
            case 4: bytes = payloads[Int.random(in: payloads.indices, using: &random)]
            default: bytes[at] = UInt8.random(in: 0x30...0x39, using: &random)
            }
        }
        return (index, bytes)
    }

    @Test func `are refused or applied like any other, and never end the process`() throws {
        var random = SeededRandom(seed: 4)
        var (refused, applied) = (0, 0)
        let tries = ProcessInfo.processInfo.environment["DAMAGE"] == "all" ? 100_000 : 2000
        for _ in 0..<tries {
            let (index, bytes) = altered(&random)
            var content = Content(limits: Limits())
            do {
                for (place, payload) in payloads.enumerated() {
                    let payload = place == index ? bytes : payload
                    try payload.withUnsafeBytes { try content.replay($0, globalSequence: UInt64(place) + 1) }
                }
                try content.finishRecovery()
                applied += 1
            } catch { refused += 1 }
        }
        #expect(refused > tries / 10 && applied > tries / 10)
    }
}
