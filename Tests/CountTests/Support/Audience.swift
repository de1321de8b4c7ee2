import ChatTesting
import Foundation
import Testing

/// One who speaks in `#lobby`, and connections that hear it.
///
/// Messages go in packs: one write, then all OKs and all events are waited for, so that the daemon does the same work in
/// the same portions each time.
struct Audience {
    /// Messages of a pack.
    static let pack = 20

    private let daemon: RunningDaemon
    let speaker: TestClient
    private let hearers: [TestClient]
    private let lines: String

    init(_ daemon: RunningDaemon, hearers count: Int = 100) throws {
        self.daemon = daemon
        speaker = try daemon.user("speaker")
        hearers = try (0..<count).map { _ in
            let hearer = try daemon.client()
            try hearer.ok("AUTH anonymous=yes", within: 60)
            try hearer.ok("SUB #lobby", within: 60)
            return hearer
        }
        let text = String(repeating: "0123456789", count: 10)
        lines = String(repeating: "SEND #lobby \(text)\n", count: Self.pack)
    }

    /// Sends so many messages and waits until all are acknowledged and heard by everybody.
    func send(_ count: Int) throws {
        try #require(count % Self.pack == 0)
        for _ in 0..<(count / Self.pack) {
            try speaker.send(lines)
            for _ in 0..<Self.pack { try #require(try speaker.reply(to: nil, within: 60).isOK) }
            for hearer in hearers { try hear(hearer) }
        }
    }

    /// Sends until the daemon is at its steady state: buffers have grown, and the journal has turned to a segment that was
    /// filled ahead, beside the traffic, so that the next turn is far.
    func warmUp() throws {
        try send(500)
        let isSettled = try holds(within: 60) {
            try send(Self.pack)
            let files = try FileManager.default.contentsOfDirectory(atPath: daemon.data + "/journal")
            return files.filter { $0 != "spare" }.count > 1
        }
        try #require(isSettled, "the journal fills no segment ahead: \(daemon.errors)")
        try send(100)
    }

    private func hear(_ hearer: TestClient) throws {
        let end = monotonicSeconds() + 60
        var heard = 0
        while heard < Self.pack {
            let line = try hearer.lineBytes(until: end, for: "a message")
            if line.starts(with: "EV msg ".utf8) { heard += 1 }
        }
    }
}
