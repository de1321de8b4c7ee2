import ChatTesting
import SystemIO
import Testing

@Suite("Peers that vanish (B31)")
struct ResetTests {
    @Test(arguments: [1, 2])
    func `subscribers that reset their connections while much is sent harm nobody`(loops: Int) throws {
        let daemon = try RunningDaemon(.init(settings: ["loops=\(loops)"]))
        let ann = try daemon.user("ann")
        try ann.ok("CREATE #room")
        let isOver = Lock(false)
        let sent = Lock(0)
        let text = String(repeating: "r", count: 2000)
        try together([
            {
                while !isOver.withLock({ $0 }) {
                    _ = try ann.pipeline((0..<50).map { _ in "SEND #room \(text)" })
                    sent.withLock { $0 += 50 }
                }
            },
            {
                defer { isOver.withLock { $0 = true } }
                for number in 0..<150 {
                    let client = try daemon.client(.init(isSecure: number.isMultiple(of: 3), receiveBuffer: 4096))
                    try client.ok("AUTH token=\(ann.token)")
                    try client.send("SUB since=0 #room\nHISTORY limit=200 #room\n")
                    client.reset()
                }
            },
        ])
        #expect(daemon.isAlive && sent.withLock { $0 } > 0)
        #expect(try daemon.another(of: ann).ok("SEND #room after").seq == sent.withLock { $0 } + 2)
    }

    @Test(arguments: [1, 2])
    func `so do resets in the middle of a handshake, of a line and of signing up`(loops: Int) throws {
        let daemon = try Scene(loops).daemon
        for number in 0..<60 {
            let raw = try TestClient(port: daemon.chatPort, .init(isSecure: false, readsHi: false))
            try raw.send([22, 3, 1, 2, 0, 1, 0] + [UInt8](repeating: 0, count: number))
            raw.reset()
            let client = try daemon.client(.init(isSecure: number.isMultiple(of: 2)))
            let name = SharedDaemon.name("gone")
            try client.send(
                number.isMultiple(of: 4) ? "PING half" : "SIGNUP name=\(name) \(name)@example.test Secret123\n"
            )
            client.reset()
        }
        try daemon.client().ok("PING alive")
        #expect(daemon.isAlive)
    }

    @Test func `a dead log pipe does not stop the service`() throws {
        let wrapper = ["bash", "-c", "exec \"$@\" 2> >(exec true)", "bash"]
        let daemon = try RunningDaemon(.init(settings: ["log.level=debug"], wrapper: wrapper))
        for number in 0..<5 {
            let user = try daemon.user("user\(number)")
            try user.ok("SEND #lobby x")
            user.reset()
        }
        #expect(daemon.isAlive)
        #expect(daemon.terminate() == 0)
    }

    @Test(arguments: [1, 2])
    func `resets while it shuts down leave a clean end`(loops: Int) throws {
        let daemon = try RunningDaemon(.init(settings: ["loops=\(loops)"]))
        let clients = try (0..<20).map { try daemon.user("user\($0)") }
        for client in clients { try client.send("SUB since=0 #lobby\nSEND #lobby last words\n") }
        daemon.process?.signal(15)
        for client in clients { client.reset() }
        #expect(daemon.process?.wait(atMost: 6) == 0)
    }
}
