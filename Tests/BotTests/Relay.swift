import Glibc
import SystemIO

/// A TCP relay on a port of its own, whose connections a test can cut: a network that fails.
final class Relay: Sendable {
    let port: UInt16
    private let listener: Int32
    private let target: UInt16
    private struct State {
        var isCut = false
        var isOver = false
        var open: Set<Int32> = []
    }
    private let state = SystemIO.Lock(State())

    init(to target: UInt16) throws {
        self.target = target
        listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var address = Self.loopback(0)
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let listener = listener
        let result = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { raw -> Int32 in
                if bind(listener, raw, size) != 0 || listen(listener, 16) != 0 { return -1 }
                return getsockname(listener, raw, &size)
            }
        }
        if result != 0 { throw Errno(code: errno, call: "listen") }
        port = UInt16(bigEndian: address.sin_port)
        _ = SystemIO.Thread(name: "relay") { [state, target] in Self.serve(listener, target, state) }
    }

    deinit {
        state.withLock { $0.isOver = true }
        cut()
        shutdown(listener, Int32(SHUT_RDWR))
    }

    /// Ends every connection, and takes no more.
    func cut() {
        state.withLock { state in
            state.isCut = true
            for socket in state.open { shutdown(socket, Int32(SHUT_RDWR)) }
        }
    }

    /// Takes connections again.
    func mend() { state.withLock { $0.isCut = false } }

    private static func loopback(_ port: UInt16) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return address
    }

    private static func serve(_ listener: Int32, _ target: UInt16, _ state: SystemIO.Lock<State>) {
        while !state.withLock({ $0.isOver }) {
            let near = accept(listener, nil, nil)
            if near < 0 { break }
            let far = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
            var address = loopback(target)
            let isConnected = withUnsafePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    connect(far, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
                }
            }
            let isTaken = state.withLock { state in
                if state.isCut || !isConnected { return false }
                state.open.formUnion([near, far])
                return true
            }
            guard isTaken else {
                close(near)
                close(far)
                continue
            }
            _ = SystemIO.Thread(name: "relay") { pump(near, far) }
            _ = SystemIO.Thread(name: "relay") { pump(far, near) }
        }
        close(listener)
    }

    /// The sockets stay open until the process ends, so that no number is used for another one meanwhile.
    private static func pump(_ from: Int32, _ to: Int32) {
        var room = [UInt8](repeating: 0, count: 16_384)
        while true {
            let count = read(from, &room, room.count)
            if count <= 0 { break }
            var at = 0
            while at < count {
                let sent = room[at..<count].withUnsafeBytes {
                    send(to, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
                }
                if sent <= 0 { break }
                at += sent
            }
            if at < count { break }
        }
        shutdown(to, Int32(SHUT_RDWR))
        shutdown(from, Int32(SHUT_RDWR))
    }
}
