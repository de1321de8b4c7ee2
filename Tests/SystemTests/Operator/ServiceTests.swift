import ChatTesting
import Foundation
import Glibc
import Testing

@Suite("fcd as a service", .timeLimit(.minutes(10)))
struct ServiceTests {
    /// A socket as the service manager has it, and what was said to it.
    private final class Manager {
        private let directory = TemporaryDirectory()
        private let descriptor: Int32
        var path: String { directory.path + "/notify" }

        init() {
            descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
            var address = sockaddr_un()
            address.sun_family = sa_family_t(AF_UNIX)
            withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
            withUnsafePointer(to: &address) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    _ = bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
                }
            }
        }

        deinit { close(descriptor) }

        /// The next message; nil when none comes in time.
        func hear(within seconds: Double = 10) -> String? {
            var one = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            guard poll(&one, 1, Int32(seconds * 1000)) == 1 else { return nil }
            var room = [UInt8](repeating: 0, count: 4096)
            let count = recv(descriptor, &room, room.count, 0)
            return String(decoding: room.prefix(max(0, count)), as: UTF8.self)
        }
    }

    @Test func `tells the service manager when it is ready, reloads and stops`() throws {
        let manager = Manager()
        let daemon = try RunningDaemon(.init(wrapper: ["env", "NOTIFY_SOCKET=\(manager.path)"]))
        #expect(manager.hear() == "READY=1")
        daemon.process?.signal(SIGHUP)
        #expect(manager.hear()?.hasPrefix("RELOADING=1\nMONOTONIC_USEC=") == true)
        #expect(manager.hear() == "READY=1")
        #expect(daemon.terminate() == 0)
        #expect(manager.hear() == "STOPPING=1")
    }

    @Test(arguments: ["/nonexistent/socket", "relative", "", "@", String(repeating: "/x", count: 100)])
    func `a service manager that cannot be told harms nobody`(address: String) throws {
        let daemon = try RunningDaemon(.init(wrapper: ["env", "NOTIFY_SOCKET=\(address)"]))
        try daemon.client().ok("PING x")
        #expect(daemon.terminate() == 0)
    }

    private static var unit: String {
        URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("../../../etc/fcd.service")
            .standardized.path
    }

    @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/systemd-analyze")))
    func `the unit is understood by systemd and leaves little open`() throws {
        let directory = TemporaryDirectory()
        // The verifier wants the program to be there.
        let text = readWhole(Self.unit).replacingOccurrences(of: "/usr/local/bin/fcd", with: RunningDaemon.executable)
        let unit = directory.path + "/fcd.service"
        try text.write(toFile: unit, atomically: true, encoding: .utf8)
        let verify = try ChildProcess(
            ["systemd-analyze", "verify", "--man=no", unit],
            output: directory.path + "/out",
            errors: directory.path + "/out"
        )
        #expect(verify.wait(atMost: 60) == 0, "\(readWhole(directory.path + "/out"))")
        let security = try ChildProcess(
            ["systemd-analyze", "security", "--offline=yes", "--threshold=20", unit],
            output: directory.path + "/out",
            errors: directory.path + "/out"
        )
        #expect(security.wait(atMost: 60) == 0, "\(readWhole(directory.path + "/out"))")
    }

    @Test func `after a busy run no password, token, code or text stands in the log`() throws {
        let files = try Certificates()
        let daemon = try RunningDaemon(.init(settings: files.settings + ["log.level=debug", "limits.sign-ins=2"]))
        let admin = try daemon.operatorClient()
        try admin.ok("ADMIN SET limits.rate on")
        var secrets = ["Sup3rSecret", "t0psecret-text", "Wr0ngSecret", "N3wSecret", "g0t-away"]
        let ann = try daemon.user("ann", password: "Sup3rSecret")
        secrets.append(ann.token)
        try ann.ok("SEND #lobby t0psecret-text")
        let wrong = try daemon.client()
        for _ in 0..<5 { _ = try wrong.refusal("AUTH ann Wr0ngSecret") }
        _ = try wrong.refusal("AUTH token=Wr0ngSecret")
        _ = try wrong.request("SIGNUP name=ben ben@example.test")
        try wrong.send("Sup3rSecret\u{1}\n")
        try admin.ok("ADMIN SET limits.rate off")
        let code = try #require(try admin.ok("ADMIN USER reset ann")["code"])
        let again = try daemon.client()
        secrets += [code, try #require(try again.ok("AUTH ann \(code)")["token"])]
        try again.ok("PASSWD N3wSecret")
        try again.send("AUTH ann g0t-away")
        again.reset()
        try files.spoil(.keyOfAnother)
        daemon.process?.signal(SIGHUP)
        #expect(holds(within: 10) { daemon.errors.contains("error reload") })
        #expect(daemon.terminate() == 0)
        let logged = daemon.errors + readWhole(daemon.data + "/audit.log")
        for secret in secrets { #expect(!logged.contains(secret), "\(secret)") }
        #expect(!logged.contains("PRIVATE KEY") && !logged.contains("scrypt"))
    }
}
