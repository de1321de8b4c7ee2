import Glibc
import SystemIO
import TLS

/// One connection of a scripted server: blocking, every wait bounded.
final class ScriptedConnection {
    struct Unexpected: Error, CustomStringConvertible { let description: String }

    /// The client ended the connection while something was said to it.
    struct Gone: Error, CustomStringConvertible { let description: String }

    private let descriptor: Int32
    private let tls: TLSSession
    private var input: [UInt8] = []
    private static let limit: Int32 = 15_000

    init(_ descriptor: Int32, _ context: TLSContext) throws {
        self.descriptor = descriptor
        _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
        tls = try TLSSession(server: context, descriptor: descriptor)
        while true {
            switch tls.handshake() {
            case .bytes: return
            case .closed: throw Unexpected(description: "closed in the handshake")
            case .failed(let fault): throw Unexpected(description: "\(fault)")
            case let outcome: try wait(outcome)
            }
        }
    }

    func end() { tls.shutdown() }

    /// Sends a line.
    func say(_ line: String, end: String = "\n") throws {
        var rest = Array((line + end).utf8)
        while !rest.isEmpty {
            switch rest.withUnsafeBytes({ tls.write($0) }) {
            case .bytes(let count): rest.removeFirst(count)
            case .closed: throw Gone(description: "closed while saying \(line)")
            case .failed(let fault): throw Gone(description: "\(fault) while saying \(line)")
            case let outcome: try wait(outcome)
            }
        }
    }

    /// The next line of the client; nil when it has ended its side.
    func hear() throws -> String? {
        while true {
            if let end = input.firstIndex(of: 0x0A) {
                defer { input.removeFirst(end + 1) }
                return String(decoding: input[..<end], as: UTF8.self)
            }
            var room = [UInt8](repeating: 0, count: 16_384)
            switch room.withUnsafeMutableBytes({ tls.read(into: $0) }) {
            case .bytes(let count): input += room[..<count]
            case .closed, .failed: return nil
            case let outcome: try wait(outcome)
            }
        }
    }

    /// The next bytes of the client, so many.
    func hear(bytes count: Int) throws -> [UInt8] {
        while input.count < count {
            var room = [UInt8](repeating: 0, count: 65_536)
            switch room.withUnsafeMutableBytes({ tls.read(into: $0) }) {
            case .bytes(let got): input += room[..<got]
            case .closed, .failed: throw Unexpected(description: "the end after \(input.count) bytes of \(count)")
            case let outcome: try wait(outcome)
            }
        }
        defer { input.removeFirst(count) }
        return Array(input[..<count])
    }

    /// The next line must be `expected`, apart from its tag, which is returned with its `@`.
    @discardableResult
    func expect(_ expected: String) throws -> String {
        let (tag, request) = try request()
        if request != expected { throw Unexpected(description: "expected \(expected), heard \(request)") }
        return tag
    }

    /// The next request as its tag and the rest.
    func request() throws -> (tag: String, text: String) {
        guard let line = try hear() else { throw Unexpected(description: "the client is gone") }
        guard line.hasPrefix("@"), let blank = line.firstIndex(of: " ") else { return ("", line) }
        return (String(line[..<blank]), String(line[line.index(after: blank)...]))
    }

    /// Greets, and takes the token `secret`.
    func welcome(log: String = "L1", time: String = "2026-01-05T12:00:00.000Z") throws {
        try greet(log: log, time: time)
        let tag = try expect("AUTH token=secret")
        try say("OK \(tag) user=ada token=secret unread=0")
    }

    func greet(log: String = "L1", time: String = "2026-01-05T12:00:00.000Z") throws {
        try say(
            "HI server=fcd/1.0 proto=1 log=\(log) line=16384 text=4000 blob=26214400 blobs=https://127.0.0.1:1 "
                + "auth=password,token,anonymous durability=sync time=\(time) - type HELP"
        )
    }

    /// A message as the server sends it.
    func message(_ seq: Int, _ text: String, conv: String = "#lobby") throws {
        try say("EV msg conv=\(conv) seq=\(seq) ts=2026-01-05T12:03:04.567Z by=bob text=\"\(text)\"")
    }

    /// Waits until the client ends the connection.
    func untilGone() throws { while try hear() != nil {} }

    private func wait(_ outcome: TLSOutcome) throws {
        var watches = [Watch(descriptor, input: outcome == .wantRead, output: outcome == .wantWrite)]
        guard try Watch.wait(for: &watches, milliseconds: Self.limit) else {
            throw Unexpected(description: "the client is silent")
        }
    }
}
