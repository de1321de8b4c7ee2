import Bytes
import Glibc
import SystemIO
import Wire

/// Talks to the running daemon over its control socket, one request at a time. Blocks, but never past a deadline.
struct ControlClient: ~Copyable {
    private let descriptor: Descriptor
    private var received: [UInt8] = []

    /// Seconds that an answer may take; a snapshot of much data takes its time.
    private static let patience: UInt64 = 300

    /// What answered a request.
    struct Answer {
        var rows: [ServerLine] = []
        let last: ServerLine
    }

    /// Connects to the daemon that runs on this data directory.
    /// - Throws: `Failure` that says whether there is one.
    static func open(_ dataPath: String) throws(Failure) -> ControlClient {
        var client = ControlClient(descriptor: try connect(dataPath))
        guard try client.line().word == .hello else {
            throw .running("\(dataPath)/\(ControlSocket.name) does not answer as fcd does")
        }
        return client
    }

    private init(descriptor: consuming Descriptor) { self.descriptor = descriptor }

    private static func connect(_ dataPath: String) throws(Failure) -> Descriptor {
        do throws(Errno) { return try ControlSocket.connect(in: dataPath) } catch {
            switch error.code {
            case ENOENT, ECONNREFUSED, ENOTDIR: throw .running("no daemon runs on \(dataPath)")
            case EACCES, EPERM:
                throw .running("\(dataPath)/\(ControlSocket.name) is for root and the daemon's own user only")
            default: throw .running("\(dataPath)/\(ControlSocket.name): \(error)")
            }
        }
    }

    /// Sends a request and waits for its answer.
    mutating func ask(_ request: String) throws(Failure) -> Answer {
        let bytes = Array("@fcd \(request)\n".utf8)
        var sent = 0
        while sent < bytes.count {
            switch bytes.withUnsafeBytes({
                Sockets.send(descriptor.number, UnsafeRawBufferPointer(rebasing: $0[sent...]))
            })
            {
            case .bytes(let count): sent += count
            case .wouldBlock: try wait(for: Int16(POLLOUT), until: Self.end())
            case .ended, .failed: throw .running("the daemon has closed the control socket")
            }
        }
        var rows: [ServerLine] = []
        while true {
            let line = try line()
            switch line.word {
            case .row where line.tag == "fcd": rows.append(line)
            case .ok where line.tag == "fcd", .error where line.tag == "fcd": return Answer(rows: rows, last: line)
            case .bye: throw .running("the daemon is stopping")
            default: continue
            }
        }
    }

    private static func end() -> UInt64 { Clock.monotonicNanoseconds + patience * 1_000_000_000 }

    private mutating func line() throws(Failure) -> ServerLine {
        let end = Self.end()
        while true {
            if let at = received.firstIndex(of: 0x0A) {
                let line = received[..<at].withUnsafeBytes { ServerLine($0) }
                received.removeSubrange(...at)
                guard let line else { throw .running("the daemon's answer is not understood") }
                return line
            }
            try wait(for: Int16(POLLIN), until: end)
            var part = [UInt8](repeating: 0, count: 65536)
            switch part.withUnsafeMutableBytes({ Sockets.receive(descriptor.number, into: $0) }) {
            case .bytes(let count): received += part[..<count]
            case .wouldBlock: continue
            case .ended, .failed: throw .running("the daemon has closed the control socket; is this its user?")
            }
        }
    }

    private func wait(for events: Int16, until end: UInt64) throws(Failure) {
        let now = Clock.monotonicNanoseconds
        if now >= end { throw .running("the daemon does not answer") }
        var one = pollfd(fd: descriptor.number, events: events, revents: 0)
        _ = poll(&one, 1, Int32(clamping: (end - now) / 1_000_000 + 1))
    }
}
