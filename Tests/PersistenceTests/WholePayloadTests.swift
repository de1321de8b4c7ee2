import Bytes
import ChatModel
import ChatTesting
import Testing

@testable import Persistence

@Suite("A payload is whole") struct WholePayloadTests {
    private func isWhole(_ payload: String) -> Bool {
        Array(payload.utf8).withUnsafeBytes { JournalPayload.isWhole($0) }
    }

    @Test(arguments: [
        "E 1 2 3 - EV msg conv=#lobby seq=2 ts=2026-11-30T08:00:00.000Z by=ada text=\"say \\\"hi\\\" \\\\\"",
        "E 1 2 3 - EV msg conv=#lobby seq=2 ts=2026-11-30T08:00:00.000Z by=ada", "L stop",
        "L account n=5 name=ada display=\"A \\\\\" guest=no created=2026-11-30T08:00:00.000Z lobby-read=0",
    ])
    func `when every quote in it is one that this program wrote`(payload: String) { #expect(isWhole(payload)) }

    @Test(arguments: [
        "", "E ", "X 1", "L stop\"", "E 1 2 3 - EV msg conv=#lobby text=hi\"", "L setting key=a value=\\\"b\\\"\"",
        "L setting key=a value=\"b", "L setting key=a value=\"b\\\"", "L setting key=a value=b\"c\"",
        "L setting key=a value=\"b\\",
    ])
    func `and never when it ends a text that began elsewhere`(payload: String) { #expect(!isWhole(payload)) }
}
