/// Where a stream socket listens or connects to: numeric, never a name.
package enum SocketAddress: Equatable, Sendable, CustomStringConvertible {
    case ip4(String, port: UInt16)
    case ip6(String, port: UInt16)
    case unix(path: String)

    /// Reads "127.0.0.1:7700", "[::1]:7700" or "unix:/path"; nil for anything else. Whether the host is a numeric
    /// address is found out by the system call that uses it (EINVAL).
    package init?(_ text: String) {
        if text.hasPrefix("unix:") {
            let path = text.dropFirst(5)
            if path.isEmpty { return nil }
            self = .unix(path: String(path))
            return
        }
        guard let colon = text.utf8.lastIndex(of: UInt8(ascii: ":")) else { return nil }
        let (host, digits) = (text[..<colon], text[text.index(after: colon)...])
        guard digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let port = UInt16(digits) else { return nil }
        if host.hasPrefix("["), host.hasSuffix("]"), host.utf8.count > 2 {
            self = .ip6(String(host.dropFirst().dropLast()), port: port)
        } else if !host.isEmpty, !host.contains(where: { ":[]".contains($0) }) {
            self = .ip4(String(host), port: port)
        } else {
            return nil
        }
    }

    package var description: String {
        switch self {
        case .ip4(let host, let port): "\(host):\(port)"
        case .ip6(let host, let port): "[\(host)]:\(port)"
        case .unix(let path): "unix:\(path)"
        }
    }

    /// Family, host or path, and port as CLinux takes them.
    var parts: (family: Int32, host: String, port: UInt16) {
        switch self {
        case .ip4(let host, let port): (4, host, port)
        case .ip6(let host, let port): (6, host, port)
        case .unix(let path): (1, path, 0)
        }
    }
}
