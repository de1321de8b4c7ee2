import Testing

@testable import fcbench

@Suite("The command line of fcbench") struct OptionsTests {
    private func fault(_ line: String) -> String? {
        do throws(UsageError) {
            _ = try BenchRequest(line.split(separator: " ").map(String.init))
            return nil
        } catch { return error.text }
    }

    private func options(_ line: String) throws -> BenchOptions {
        guard case .run(let options) = try BenchRequest(line.split(separator: " ").map(String.init)) else {
            throw UsageError(text: "no run")
        }
        return options
    }

    @Test func `each mode has its numbers`() throws {
        #expect(try options("fan").mode == .fan(subscribers: 100, window: 256))
        #expect(try options("--subs 7 fan --window=3").mode == .fan(subscribers: 7, window: 3))
        #expect(try options("many --rooms 2 --members 3 --window 1").mode == .many(rooms: 2, members: 3, window: 1))
        #expect(try options("rate --rate 0.5 --subs 9").mode == .rate(perSecond: 0.5, subscribers: 9))
        #expect(try options("acked --senders 4 --inflight 16").mode == .acked(senders: 4, inFlight: 16))
    }

    @Test func `readers may stall, others sign in and are silent, or come and go`() throws {
        #expect(try options("fan --subs 9 --stalled 8").mode == .fan(subscribers: 9, window: 256, stalled: 8))
        #expect(try options("rate --stalled 1").mode == .rate(perSecond: 1000, subscribers: 100, stalled: 1))
        #expect(try options("idle --conns 7 --conc 2").mode == .idle(connections: 7))
        #expect(try options("storm").mode == .storm(connections: 3000, resume: false, signIn: true))
        let storm = try options("storm --resume --conns 5 --no-sign-in")
        #expect(storm.mode == .storm(connections: 5, resume: true, signIn: false))
        #expect((storm.seconds, storm.crowd) == (120, 32))
    }

    @Test func `other servers are named, and their limits known`() throws {
        #expect(try options("fan").kind == .fc)
        #expect(try options("fan --proto irc --bytes 400").kind == .irc)
        #expect(try options("acked --proto redis --raw").form == .raw)
        #expect(try BenchRequest(["table", "--from", "f"]) == .table(file: "f"))
    }

    @Test func `the common options stand before or behind the mode`() throws {
        let options = try options(
            "--host h --port 1 --server-pid 2 fan --json --secs 0.5 --msgs 9 --bytes 34 --no-header"
        )
        #expect((options.host, options.port, options.serverPID, options.messages) == ("h", 1, 2, 9))
        #expect((options.form, options.header, options.seconds, options.byteCount) == (.json, false, 0.5, 34))
    }

    @Test func `help and version are asked for anywhere`() throws {
        #expect(try BenchRequest(["fan", "--help"]) == .help)
        #expect(try BenchRequest(["--version"]) == .version)
    }

    @Test(arguments: [
        ("", "no mode: one of fan, many, rate, acked, idle, storm, table"),
        ("fna", "unknown mode fna; the nearest is fan"),
        ("fan --windw 3", "unknown option --windw; the nearest is --window"),
        ("fan --rate 3", "--rate is an option of rate, not of fan"),
        ("fan many", "one mode at a time: many"),
        ("fan --subs", "--subs needs a value"),
        ("fan --subs 1 --subs 2", "--subs stands twice"),
        ("fan --subs 0", "--subs is a number of 1 ... 50000: 0"),
        ("fan --port 65536", "--port is a number of 1 ... 65535: 65536"),
        ("fan --bytes 33", "--bytes is a number of 34 ... 4000: 33"),
        ("rate --rate nan", "--rate is a number of 0.1 ... 1000000.0: nan"),
        ("many --rooms 10000 --members 10", "more than 50000 connections"),
        ("fan --proto reddis", "unknown protocol reddis; the nearest is redis"),
        ("acked --proto nats", "acked is not for nats, which stores nothing"),
        ("fan --proto irc --bytes 401", "--bytes is at most 400 for irc: 401"),
        ("many --proto irc --members 1", "--members is at least 2 for irc, where nobody hears himself"),
        ("fan --subs 5 --stalled 5", "--stalled 5: nobody of 5 would read"),
        ("acked --stalled 5", "--stalled is an option of fan, rate, not of acked"),
        ("fan --resume", "--resume is an option of storm, not of fan"),
        ("table", "table needs --from FILE"),
        ("table --from f --port 1", "--port is an option of fan, many, rate, acked, idle, storm, not of table"),
        ("fan --room lobby", "--room is a name as #lobby: lobby"),
    ])
    func `a wrong line is told by name`(line: String, text: String) { #expect(fault(line) == text) }
}
