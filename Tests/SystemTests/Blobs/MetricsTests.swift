import ChatTesting
import Testing

@Suite("/metrics")
struct MetricsTests {
    @Test(arguments: [1, 2])
    func `tells how the server is in Prometheus' text format, to the operator's token`(loops: Int) throws {
        let daemon = try RunningDaemon(.init(settings: ["loops=\(loops)"]))
        let (ann, _) = (try daemon.user("ann"), try daemon.user("ben"))
        for _ in 0..<3 { try ann.ok("SEND #lobby hello") }
        _ = try ann.upload(noise(10_000))
        _ = try Tus(daemon: daemon, token: ann.token).make(10)
        #expect(try daemon.fetch("/metrics").status == 401)
        for token in ["x", ann.token] { #expect(try daemon.fetch("/metrics", token: token).status == 401) }
        let token = try #require(try daemon.operatorClient().ok("ADMIN TOKEN metrics")["token"])
        let answer = try daemon.fetch("/metrics", token: token)
        #expect(answer.status == 200 && answer["content-type"] == "text/plain; version=0.0.4; charset=utf-8")
        let lines = String(decoding: answer.body, as: UTF8.self).split(
            separator: "\n",
            omittingEmptySubsequences: false
        )
        #expect(lines.last == "")
        var values: [Substring: Substring] = [:]
        for group in stride(from: 0, to: lines.count - 1, by: 3) {
            let value = try #require(lines[group + 2].wholeMatch(of: /([a-z_]+)(\{version="[^"]*"\})? (\d+)/))
            #expect(lines[group].hasPrefix("# HELP \(value.1) ") && lines[group].hasSuffix("."))
            #expect(lines[group + 1].wholeMatch(of: /# TYPE ([a-z_]+) (gauge|counter)/)?.1 == value.1)
            #expect((lines[group + 1].hasSuffix("counter")) == value.1.hasSuffix("_total"))
            #expect(values.updateValue(value.3, forKey: value.1) == nil)
        }
        let expected = [
            "fcd_accounts": "2", "fcd_guests": "0", "fcd_conversations": "1", "fcd_messages_sent_total": "3",
            "fcd_blobs": "1", "fcd_blob_bytes": "10000", "fcd_partial_uploads": "1", "fcd_read_only": "0",
            "fcd_memory_full": "0", "fcd_journal_lag_records": "0", "fcd_uploads": "0",
        ]
        for (key, value) in expected { #expect(values[Substring(key)] == Substring(value), "\(key)") }
        #expect(Int(values["process_resident_memory_bytes"] ?? "") ?? 0 > 1_000_000)
        #expect(Int(values["fcd_connections"] ?? "") ?? 0 >= 2 && values["fcd_slow_turns_total"] != nil)
        #expect(values["fcd_journal_durable_total"] == values["fcd_journal_decided_total"])
        #expect(Int(values["fcd_snapshot_age_seconds"] ?? "") ?? 99 < 60)
    }

    @Test
    func `its token is made anew by fcd token metrics, survives a restart and a snapshot, and is nowhere in the data`()
        throws
    {
        let daemon = try RunningDaemon()
        let old = try #require(try daemon.operatorClient().ok("ADMIN TOKEN metrics")["token"])
        let run = try FcdRun(["token", "metrics"], data: daemon.data)
        let token = run.output.split(whereSeparator: \.isWhitespace).joined()
        #expect(run.code == 0 && token.utf8.count >= 20)
        #expect(try daemon.fetch("/metrics", token: old).status == 401)
        #expect(try daemon.fetch("/metrics", token: token).status == 200)
        try daemon.restart()
        #expect(try daemon.fetch("/metrics", token: token).status == 200)
        try daemon.operatorClient().ok("ADMIN SNAPSHOT")
        try daemon.restart()
        #expect(try daemon.fetch("/metrics", token: token, "If-None-Match: *").status == 200)
        #expect(try shell("grep -rl '\(token)' \(daemon.data)", within: 30).isEmpty)
        try daemon.operatorClient().expectRefusal("ADMIN TOKEN other", "BAD-ARG", field: "kind")
    }
}
