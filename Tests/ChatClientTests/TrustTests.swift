import ChatClient
import Testing

@Suite("Servers and their certificates")
struct TrustTests {
    private let one = Fingerprint(String(repeating: "AB:", count: 31) + "CD")
    private let other = Fingerprint(String(repeating: "0F", count: 32))

    @Test func `A fingerprint is read in any case, with or without colons`() throws {
        let text = String(repeating: "ab", count: 31) + "cd"
        #expect(Fingerprint(text) == one)
        #expect(Fingerprint("sha256:" + text) == one)
        #expect("\(try #require(one))" == String(repeating: "AB:", count: 31) + "CD")
        for wrong in ["", "AB", String(text.dropLast()), text + "00", "zz" + text.dropFirst(2)] {
            #expect(Fingerprint(wrong) == nil)
        }
    }

    @Test func `First contact asks, the known is accepted, a change is refused`() throws {
        let (one, other) = (try #require(one), try #require(other))
        #expect(PinDecision.decide(shown: one, known: nil, named: nil) == .ask)
        #expect(PinDecision.decide(shown: one, known: one, named: nil) == .accept)
        #expect(PinDecision.decide(shown: other, known: one, named: nil) == .refuseChanged)
    }

    @Test func `What the person names is accepted, and only that`() throws {
        let (one, other) = (try #require(one), try #require(other))
        #expect(PinDecision.decide(shown: one, known: nil, named: one) == .learn)
        #expect(PinDecision.decide(shown: one, known: other, named: one) == .learn)
        #expect(PinDecision.decide(shown: one, known: one, named: one) == .accept)
        #expect(PinDecision.decide(shown: one, known: one, named: other) == .refuseOther)
    }

    @Test func `A server is a host and a port`() {
        #expect(Endpoint("chat.example:1") == Endpoint(host: "chat.example", port: 1))
        #expect(Endpoint("chat.example")?.port == 7700)
        #expect(Endpoint("[::1]:7")?.description == "[::1]:7")
        for wrong in ["", ":1", "a:", "a:0", "a:65536", "a:1x", "::1", "[::1", "a b:1", "a:-1", "[]:1"] {
            #expect(Endpoint(wrong) == nil, "\(wrong)")
        }
    }

    @Test func `Waits double up to half a minute and begin anew after success`() {
        var backOff = BackOff()
        let waits = (0..<9).map { _ in backOff.wait(chance: 1) }
        #expect(waits == [0.25, 0.5, 1, 2, 4, 8, 16, 30, 30])
        #expect(backOff.wait(chance: 0) == 15)
        backOff.reset()
        #expect(backOff.wait(chance: 0) == 0.125)
        #expect(backOff.wait(chance: 0, atLeast: 7) == 7)
        #expect(backOff.wait(chance: 0, atLeast: UInt64.max) == 30)
    }

    @Test func `Input is cut into lines whatever way it comes`() {
        let text = Array("one\r\ntwo\n\nthree".utf8)
        for cut in 0...text.count {
            var breaker = LineBreaker(limit: 100)
            var lines = text[..<cut].withUnsafeBytes { breaker.take($0) }
            lines += text[cut...].withUnsafeBytes { breaker.take($0) }
            if let last = breaker.finish() { lines.append(last) }
            #expect(lines.map { String(decoding: $0, as: UTF8.self) } == ["one", "two", "", "three"], "cut at \(cut)")
        }
    }
}
