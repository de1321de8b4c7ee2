import SystemIO

/// Where a port listens: HOST:PORT with a numeric address, or a unix socket.
struct ListenAddress: Sendable, Hashable, CustomStringConvertible {
    enum Family: Sendable, Hashable {
        case ipv4, ipv6, unix
    }

    let family: Family
    /// The numeric address, or the path of the socket.
    let host: String
    /// 0 takes a free port; 0 for a unix socket.
    let port: UInt16

    /// The longest path of a unix socket in bytes (unix(7): sun_path with its NUL has 108).
    static let longestPath = 107

    static func ipv4(_ host: String, port: UInt16) -> ListenAddress {
        ListenAddress(family: .ipv4, host: host, port: port)
    }

    static func ipv6(_ host: String, port: UInt16) -> ListenAddress {
        ListenAddress(family: .ipv6, host: host, port: port)
    }

    /// - Parameter path: absolute, 2 ... `longestPath` bytes.
    static func unix(_ path: String) -> ListenAddress {
        ListenAddress(family: .unix, host: path, port: 0)
    }

    /// The family's number for `fc_listen`: 4, 6, or 1 for unix.
    var familyNumber: Int32 {
        switch family {
        case .ipv4: 4
        case .ipv6: 6
        case .unix: 1
        }
    }

    /// Whether only this host reaches it: 127.0.0.0/8 or ::1. False for a unix socket.
    var isLoopback: Bool { family != .unix && NumericAddress(host)?.isLoopback == true }

    /// As READY and the settings write it: `127.0.0.1:7700`, `[::1]:7700`, `unix:/path`.
    var description: String {
        switch family {
        case .ipv4: "\(host):\(port)"
        case .ipv6: "[\(host)]:\(port)"
        case .unix: "unix:\(host)"
        }
    }
}

extension ListenAddress {
    /// Reads HOST:PORT, [IPV6]:PORT or unix:/PATH; `localhost` is 127.0.0.1.
    /// - Throws: `Rejection` that says which part is wrong.
    init(_ text: String) throws(Rejection) {
        if text.hasPrefix("unix:") {
            self = .unix(try Self.socketPath(String(text.dropFirst(5))))
            return
        }
        // Split at bytes: a combining mark behind the colon would hide it from Character comparison.
        guard let colon = text.utf8.lastIndex(of: UInt8(ascii: ":")) else {
            throw Rejection("there is no port; write HOST:PORT, as in 127.0.0.1:7700")
        }
        let host = String(text[..<colon])
        let digits = text[text.utf8.index(after: colon)...]
        guard let port = decimal(digits, in: 0...65535) else {
            throw Rejection("the port is not a number from 0 to 65535")
        }
        self = try Self.address(host, port: UInt16(port))
    }

    private static func address(_ host: String, port: UInt16) throws(Rejection) -> ListenAddress {
        if host.isEmpty {
            throw Rejection("there is no host; 0.0.0.0 stands for every IPv4 address, [::] for every IPv6 one")
        }
        if host == "localhost" { return .ipv4("127.0.0.1", port: port) }
        if host.utf8.first == UInt8(ascii: "["), host.utf8.last == UInt8(ascii: "]") {
            guard let address = NumericAddress(String(host.dropFirst().dropLast())), address.isIPv6 else {
                throw Rejection("there is no IPv6 address between the brackets")
            }
            return .ipv6(address.text, port: port)
        }
        guard let address = NumericAddress(host) else {
            throw Rejection("the host is no numeric address (only localhost is known by name)")
        }
        if address.isIPv6 { throw Rejection("an IPv6 address stands in brackets, as in [::1]:7700") }
        return .ipv4(address.text, port: port)
    }

    private static func socketPath(_ path: String) throws(Rejection) -> String {
        guard path.utf8.first == UInt8(ascii: "/"), path.utf8.count > 1 else {
            throw Rejection("the path of a unix socket begins with a slash, as in unix:/run/fcd/chat.sock")
        }
        guard path.utf8.count <= longestPath else {
            throw Rejection("the path of a unix socket has at most \(longestPath) bytes")
        }
        // READY names the addresses with commas between, on one line.
        guard path.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7f && $0 != UInt8(ascii: ",") }) else {
            throw Rejection("blanks, commas and control characters cannot be in the path of a unix socket")
        }
        return path
    }
}
