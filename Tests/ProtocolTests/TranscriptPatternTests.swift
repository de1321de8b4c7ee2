import ChatTesting
import Testing

@Suite("Expected lines") struct TranscriptPatternTests {
    private func matches(_ pattern: String, _ line: String) -> Bool {
        var values: [String: String] = [:]
        return TranscriptPattern(pattern).matches(line, values: &values)
    }

    @Test func `a star stands for any run of characters, also for none`() {
        #expect(matches("OK seq=2 ts=*", "OK seq=2 ts=2026-01-01T00:00:00.000Z"))
        #expect(matches("OK *seq=2", "OK seq=2"))
        #expect(matches("* b *b", "a b b b"))
        #expect(!matches("OK seq=2 ts=*", "OK seq=3 ts=x"))
        #expect(!matches("OK *", "OK"))
    }

    @Test func `without a star the whole line counts`() {
        #expect(matches("OK", "OK"))
        #expect(!matches("OK", "OK conv=#lobby"))
        #expect(!matches("OK conv=#lobby", "OK"))
    }

    @Test func `a value is one word, remembered, and the same wherever it stands again`() {
        var values: [String: String] = [:]
        #expect(TranscriptPattern("OK token={t}").matches("OK token=abc", values: &values))
        #expect(values == ["t": "abc"])
        #expect(TranscriptPattern.fill("AUTH token={t} {unknown}", from: values) == "AUTH token=abc {unknown}")
        #expect(!TranscriptPattern("OK token={t} *").matches("OK token=abd x", values: &values))
        #expect(!TranscriptPattern("OK token={u}").matches("OK token=a b", values: &values))
        #expect(!TranscriptPattern("OK token={u}").matches("OK token=", values: &values))
        #expect(values == ["t": "abc"])
    }

    @Test func `a line that does not fit leaves no value behind`() {
        var values: [String: String] = [:]
        #expect(!TranscriptPattern("OK a={a} b=2").matches("OK a=1 b=3", values: &values))
        #expect(values.isEmpty)
    }

    @Test func `JSON is literal`() {
        #expect(matches(#"OK json={"a":1}"#, #"OK json={"a":1}"#))
    }
}
