import Glibc

/// Tells the service manager how the daemon is (sd_notify(3)): one datagram to the socket that NOTIFY_SOCKET names.
package struct ServiceManager: Sendable {
    private let address: String

    /// Nil when nobody wants to know.
    package init?() {
        guard let name = getenv("NOTIFY_SOCKET") else { return nil }
        address = String(cString: name)
        let length = address.utf8.count
        guard length > 1, length < MemoryLayout.size(ofValue: sockaddr_un().sun_path) else { return nil }
        guard address.utf8.first == 0x2F || address.utf8.first == 0x40 else { return nil }
    }

    /// Sends assignments such as `READY=1`, one a line. What cannot be delivered is lost.
    package func tell(_ text: String) {
        let type = Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
        guard let number = try? retrying("socket", { socket(AF_UNIX, type, 0) }) else { return }
        let descriptor = Descriptor(owning: number)
        var target = sockaddr_un()
        target.sun_family = sa_family_t(AF_UNIX)
        var path = Array(address.utf8)
        // A leading @ stands for the NUL of an abstract name (unix(7)).
        if path[0] == 0x40 { path[0] = 0 }
        withUnsafeMutableBytes(of: &target.sun_path) { $0.copyBytes(from: path) }
        let length = socklen_t(MemoryLayout<sa_family_t>.size + path.count)
        let bytes = Array(text.utf8)
        withUnsafePointer(to: &target) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                _ = sendto(descriptor.number, bytes, bytes.count, Int32(MSG_NOSIGNAL), address, length)
            }
        }
    }
}
