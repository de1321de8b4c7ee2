import Bytes
import ChatModel
import Testing

@testable import Wire

@Suite("ADMIN RETAIN") struct RetainVerbTests {
    private func parsed(_ words: String) -> ParsedLine {
        var arena = ByteBuffer()
        let parser = CommandParser(
            hashers: Hashers(nonce: { _ in 0 }, token: { _ in TokenHash(a: 0, b: 0, c: 0, d: 0) })
        )
        return Array("ADMIN RETAIN \(words)".utf8).withUnsafeBytes { parser.parseOperator($0, arena: &arena) }
    }

    private func retention(_ words: String) -> Retention? {
        guard case .command(_, .admin(let request)) = parsed(words),
            case .retain(.named("room"), let retention) = request.command
        else { return nil }
        return retention
    }

    @Test(
        arguments: [
            ("#room", Retention()), ("max=1 #room", Retention(max: 1)),
            ("max=1000000000 #ROOM", Retention(max: 1_000_000_000)),
            ("age=1s #room", Retention(age: 1)), ("age=30d max=5 #room", Retention(max: 5, age: 2_592_000)),
            ("max=all #room", Retention(max: .max)), ("age=\"all\" max=7 #room", Retention(max: 7, age: .max)),
            ("age=999999999d #room", Retention(age: 999_999_999 * 86_400)),
        ] as [(String, Retention)]
    )
    func `says how many messages are kept and how long`(words: String, expected: Retention) {
        #expect(retention(words) == expected)
    }

    @Test(
        arguments: [
            ("max=0 #room", "max"), ("max=1000000001 #room", "max"), ("max=+1 #room", "max"), ("max= #room", "max"),
            ("max=ALL #room", "max"), ("max=18446744073709551616 #room", "max"), ("age=0s #room", "age"),
            ("age=1 #room", "age"), ("age=1w #room", "age"), ("age=-1s #room", "age"), ("age=1000000000s #room", "age"),
            ("max=1 max=2 #room", "max"), ("max=1", "conv"), ("", "conv"), ("room", "conv"),
        ]
    )
    func `refuses what it cannot mean, and names it`(words: String, field: String) {
        guard case .refused(_, let refusal) = parsed(words) else {
            Issue.record("\(words)")
            return
        }
        #expect(refusal.code == .badArg && refusal.field == field, "\(refusal)")
    }
}
