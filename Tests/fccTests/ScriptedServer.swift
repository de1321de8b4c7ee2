import ChatClient
import Foundation
import Glibc
import SystemIO
import TLS

/// Plays the server's part over real TLS: the first connection follows the first script, the second the second, and so
/// on; the last script serves all further ones.
final class ScriptedServer: Sendable {
    typealias Script = @Sendable (ScriptedConnection) throws -> Void

    let port: UInt16
    let fingerprint: String
    private let listener: Int32
    private let contexts: [TLSContext]
    private let scripts: [Script]
    private let stopping = SystemIO.Lock(false)
    private let faults = SystemIO.Lock([String]())
    private let served = SystemIO.Lock(0)

    /// - Parameter changesCertificate: whether all connections but the first are shown another certificate.
    init(changesCertificate: Bool = false, _ scripts: Script...) throws {
        ClientSocket.ignoreBrokenPipes()
        let first = try Self.context()
        contexts = changesCertificate ? [first, try Self.context()] : [first]
        fingerprint = first.fingerprint ?? ""
        self.scripts = scripts
        (listener, port) = try Self.listen()
        _ = SystemIO.Thread(name: "scripted") { [self] in serve() }
    }

    /// Ends it, and says what in the scripts was not as expected. Call it at the end of each test.
    func stop() -> [String] {
        stopping.withLock { $0 = true }
        shutdown(listener, Int32(SHUT_RDWR))
        return faults.withLock { $0 }
    }

    /// Connections served to their end.
    var servedCount: Int { served.withLock { $0 } }

    var address: String { "127.0.0.1:\(port)" }

    private func serve() {
        var number = 0
        while !stopping.withLock({ $0 }) {
            let descriptor = accept(listener, nil, nil)
            if descriptor < 0 { break }
            let script = scripts[min(number, scripts.count - 1)]
            let context = contexts[min(number, contexts.count - 1)]
            number += 1
            do {
                let connection = try ScriptedConnection(descriptor, context)
                try script(connection)
                connection.end()
            } catch {
                faults.withLock { $0.append("connection \(number): \(error)") }
            }
            close(descriptor)
            served.withLock { $0 += 1 }
        }
        close(listener)
    }

    private static func context() throws -> TLSContext {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("fcc-tls-" + UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let (certificate, key) = try SelfSignedCertificate.make(names: ["localhost"], addresses: ["127.0.0.1"])
        let file = folder.appendingPathComponent("pair.pem")
        try Data((certificate + key).utf8).write(to: file)
        return try TLSContext.server(certificateFile: file.path, keyFile: file.path, minimum: .tls12)
    }

    private static func listen() throws -> (Int32, UInt16) {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var one: Int32 = 1
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &one, 4)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let result = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { raw -> Int32 in
                if bind(descriptor, raw, size) != 0 || Glibc.listen(descriptor, 16) != 0 { return -1 }
                return getsockname(descriptor, raw, &size)
            }
        }
        if result != 0 { throw Errno(code: errno, call: "listen") }
        return (descriptor, UInt16(bigEndian: address.sin_port))
    }
}
