import Bytes
import ChatCore
import ChatModel
import ChatTesting
import Testing

@testable import Persistence

/// Records whose checksums are right and whose contents cannot be: read without a trap, and refused.
@Suite("Records that do not follow from those before them")
struct HostileRecordTests {
    private let world = World()

    private func fault(_ payload: String) -> String? {
        var copy = payload
        return copy.withUTF8 { bytes -> String? in
            do throws(RecordFault) {
                _ = try JournalPayload.decode(UnsafeRawBufferPointer(bytes), world.state)
                return nil
            } catch {
                return error.reason
            }
        }
    }

    private static let tail = "ts=2026-11-30T08:00:00.000Z by=server"

    @Test func `the next event of a conversation is taken`() {
        #expect(fault("E 1 2 0 - EV msg conv=#lobby seq=2 \(Self.tail) text=\"x\"") == nil)
        #expect(fault("E 2 1 0 - EV create conv=#a seq=1 \(Self.tail)") == nil)
    }

    @Test func `names are read by bytes, also those that were made when they might begin with anything`() {
        #expect(fault("E 2 1 0 - EV create conv=#\u{1f3fb}room seq=1 \(Self.tail)") == nil)
    }

    @Test(arguments: [
        "E 0 1 0 - EV msg conv=#lobby seq=1 \(tail)",
        "E 1 1 0 - EV msg conv=#lobby seq=1 \(tail)",
        "E 1 3 0 - EV msg conv=#lobby seq=3 \(tail)",
        "E 2 1 0 - EV msg conv=#none seq=1 \(tail)",
        "E 4294967295 1 0 - EV msg conv=#far seq=1 \(tail)",
        "E 4294967295 1 0 - EV create conv=#far seq=1 \(tail)",
        "E 0 1 0 - EV create conv=#zero seq=1 \(tail)",
        "E 1 2 0 - EV create conv=#again seq=2 \(tail)",
        "E 1 18446744073709551615 0 - EV msg conv=#lobby seq=18446744073709551615 \(tail)",
        "E 1 2 0 - EV msg conv=#lobby seq=2 \(tail) text=\"x\"\nEV msg conv=#lobby seq=3 \(tail)",
    ])
    func `an event out of its place is refused`(payload: String) { #expect(fault(payload) != nil) }

    @Test func `an account number far beyond the last one is refused, one that leaves out passing guests is taken`() {
        func account(_ number: String) -> String {
            "L account n=\(number) name=zoe display=\"Zoe\" guest=no created=2026-11-30T08:00:00.000Z lobby-read=0"
        }
        #expect(fault(account("10000")) == nil)
        #expect(fault(account("4294967295")) != nil)
        #expect(fault(account("0")) != nil)
    }

    @Test(arguments: ["", "00", "000102030405060708090a0b0c0d0e", String(repeating: "00", count: 33)])
    func `a nonce key of the wrong length is refused`(key: String) {
        #expect(fault("L nonce-key key=\(key.isEmpty ? "\"\"" : key)") != nil)
    }
}
