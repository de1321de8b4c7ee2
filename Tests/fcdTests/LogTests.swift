import FoundationEssentials
import Glibc
import SystemIO
import Testing

@testable import fcd

/// A pipe whose reading end the test holds.
private final class Pipe {
    let reader: Int32
    let writer: Int32
    private var readerIsOpen = true

    init(blocking: Bool = true) throws {
        var ends: [Int32] = [0, 0]
        try #require(pipe(&ends) == 0)
        (reader, writer) = (ends[0], ends[1])
        // Reading what is there must not wait, in either case.
        _ = fcntl(reader, F_SETFL, O_NONBLOCK)
        if !blocking { _ = fcntl(writer, F_SETFL, O_NONBLOCK) }
    }

    deinit {
        closeReader()
        close(writer)
    }

    func closeReader() {
        if readerIsOpen { close(reader) }
        readerIsOpen = false
    }

    /// All that waits in the pipe.
    func drain() -> String {
        var bytes: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 65536)
        while true {
            let count = read(reader, &part, part.count)
            if count <= 0 { return String(decoding: bytes, as: UTF8.self) }
            bytes.append(contentsOf: part[..<count])
        }
    }
}

@Suite("The log", .timeLimit(.minutes(10))) struct LogTests {
    private static let moment: Int64 = 1_796_027_793_123

    private func written(_ format: LogFormat, _ level: LogLevel = .info, _ body: (Log) -> Void) throws -> String {
        let pipe = try Pipe()
        body(Log(.init(format: format, level: level), descriptor: pipe.writer, now: { Self.moment }))
        return pipe.drain()
    }

    @Test func `a line has time, level, subsystem, message and fields`() throws {
        let text = try written(.text) { $0.info("tls", "certificate loaded", ["path": "/etc/x.pem", "days": "\(90)"]) }
        #expect(text == "2026-11-30T08:36:33.123Z info tls certificate loaded path=/etc/x.pem days=90\n")
    }

    @Test func `in JSON a line is one object`() throws {
        let text = try written(.json) { $0.error("journal", "sync failed", ["why": "a \"b\" \\ \u{1b}\n", "n": ""]) }
        let fields = try JSONDecoder().decode([String: String].self, from: Data(text.utf8))
        #expect(text.hasSuffix("}\n"))
        #expect(text.utf8.count { $0 == 0x0a } == 1)
        #expect(
            fields == [
                "time": "2026-11-30T08:36:33.123Z", "level": "error", "subsystem": "journal", "message": "sync failed",
                "why": "a \"b\" \\ \u{1b}\n", "n": "",
            ]
        )
    }

    @Test(arguments: [
        ("", "\"\""), ("a b", "\"a b\""), ("a=b", "\"a=b\""), ("a\"b", #""a\"b""#), (#"a\b"#, #""a\\b""#),
        ("x\n2026-11-30T08:36:33.123Z error", #""x\u000a2026-11-30T08:36:33.123Z error""#),
        ("\r\n\u{1b}[2J\u{0}\u{7f}\u{9b}", #""\u000d\u000a\u001b[2J\u0000\u007f\u009b""#),
        ("\u{2028}\u{202e}\u{2066}\u{200f}\u{61c}", #""\u2028\u202e\u2066\u200f\u061c""#),
        ("\u{a0}", "\"\u{a0}\""), ("سلام", "سلام"), ("汉字👍", "汉字👍"),
    ]) func `a value from outside can neither end the line nor look like another field`(
        _ value: String,
        _ shown: String
    ) throws {
        let text = try written(.text) { $0.info("s", "m", ["v": value]) }
        #expect(text == "2026-11-30T08:36:33.123Z info s m v=\(shown)\n")
    }

    @Test func `only the level asked for and graver ones are written`() throws {
        for (level, expected) in [(LogLevel.error, 1), (.warning, 2), (.info, 3), (.debug, 4)] {
            let text = try written(.text, level) { log in
                log.error("s", "m")
                log.warning("s", "m")
                log.info("s", "m")
                log.debug("s", "m")
            }
            #expect(text.utf8.count { $0 == 0x0a } == expected)
        }
    }

    @Test(arguments: LogFormat.allCases) func `a line never passes the length that a pipe takes as a whole`(
        _ format: LogFormat
    ) throws {
        let long = String(repeating: "\u{1}", count: 100_000)
        let text = try written(format) { $0.info("s", "m", ["a": long, "b": long, "c": "x"]) }
        #expect(text.utf8.count <= LogLine.longest)
        #expect(text.contains("clipped"))
        if format == .json {
            #expect(throws: Never.self) { try JSONDecoder().decode([String: String].self, from: Data(text.utf8)) }
        }
    }

    @Test(arguments: [true, false]) func `lines that find no room are dropped, counted and reported later`(
        _ blocking: Bool
    ) throws {
        let pipe = try Pipe(blocking: blocking)
        let log = Log(descriptor: pipe.writer, now: { Self.moment })
        for number in 0..<10000 { log.info("s", "m", ["n": "\(number)"]) }
        let kept = pipe.drain().split(separator: "\n")
        #expect(kept.count < 10000 && kept.count > 0)
        #expect(kept.allSatisfy { $0.hasPrefix("2026-11-30T08:36:33.123Z info s m n=") })
        log.info("s", "after")
        #expect(
            pipe.drain().split(separator: "\n") == [
                "2026-11-30T08:36:33.123Z warning log lines were dropped, the reader is slow count=\(10000 - kept.count)",
                "2026-11-30T08:36:33.123Z info s after",
            ]
        )
        log.info("s", "again")
        #expect(pipe.drain() == "2026-11-30T08:36:33.123Z info s again\n")
    }

    @Test func `a reader that is gone or a closed descriptor stops nobody`() throws {
        signal(SIGPIPE, SIG_IGN)
        let pipe = try Pipe()
        let log = Log(descriptor: pipe.writer)
        pipe.closeReader()
        for _ in 0..<1000 { log.error("s", "m") }
        Log(descriptor: -1).error("s", "m")
    }

    @Test func `lines of several threads stay whole`() throws {
        let pipe = try Pipe()
        let log = Log(descriptor: pipe.writer)
        let value = String(repeating: "x", count: 100)
        let threads = (0..<4).map { number in
            SystemIO.Thread(name: "log-\(number)") { for _ in 0..<100 { log.info("s", "m", ["v": value]) } }
        }
        threads.forEach { $0.join() }
        let lines = pipe.drain().split(separator: "\n")
        #expect(lines.count == 400)
        #expect(lines.allSatisfy { $0.hasSuffix(" info s m v=\(value)") })
    }
}
