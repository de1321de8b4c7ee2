import Glibc
import SystemIO

/// A socket as of somebody with a small device behind an ordinary network. On loopback the kernel of a sender would else
/// take megabytes for a receiver who does not read, and the server would never notice him.
enum NarrowSocket {
    /// Bytes in a packet of Ethernet, and what the receiver's kernel holds (tcp(7), TCP_MAXSEG and SO_RCVBUF).
    private static let (segment, buffer): (Int32, Int32) = (1400, 16 * 1024)

    /// Connects, blocking. Both sizes must be set before, the handshake tells them.
    /// - Throws: `Errno`, EINVAL also when the address is not numeric.
    static func connect(to address: SocketAddress) throws(Errno) -> Descriptor {
        switch address {
        case .ip4(let host, let port):
            var place = sockaddr_in()
            place.sin_family = sa_family_t(AF_INET)
            place.sin_port = port.bigEndian
            guard inet_pton(AF_INET, host, &place.sin_addr) == 1 else { throw Errno(code: EINVAL, call: "connect") }
            return try connect(AF_INET, place)
        case .ip6(let host, let port):
            var place = sockaddr_in6()
            place.sin6_family = sa_family_t(AF_INET6)
            place.sin6_port = port.bigEndian
            guard inet_pton(AF_INET6, host, &place.sin6_addr) == 1 else { throw Errno(code: EINVAL, call: "connect") }
            return try connect(AF_INET6, place)
        case .unix: throw Errno(code: EINVAL, call: "connect")
        }
    }

    private static func connect<Place>(_ family: Int32, _ place: Place) throws(Errno) -> Descriptor {
        let number = socket(family, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        if number < 0 { throw Errno(code: errno, call: "socket") }
        let descriptor = Descriptor(owning: number)
        for (level, name, value) in [
            (Int32(IPPROTO_TCP), Int32(TCP_MAXSEG), segment), (Int32(SOL_SOCKET), Int32(SO_RCVBUF), buffer),
        ] {
            var value = value
            setsockopt(number, level, name, &value, socklen_t(MemoryLayout<Int32>.size))
        }
        var place = place
        let result = withUnsafeBytes(of: &place) { bytes in
            bytes.withMemoryRebound(to: sockaddr.self) {
                Glibc.connect(number, $0.baseAddress, socklen_t(MemoryLayout<Place>.size))
            }
        }
        if result != 0 { throw Errno(code: errno, call: "connect") }
        return descriptor
    }
}
