import Glibc

/// A numeric IPv4 or IPv6 address, read and written by inet_pton(3) and inet_ntop(3).
package struct NumericAddress: Sendable, Equatable {
    /// In network order; 4 for IPv4, 16 for IPv6.
    package let bytes: [UInt8]
    /// The usual spelling.
    package let text: String

    package var isIPv6: Bool { bytes.count == 16 }

    /// 127.0.0.0/8 or ::1.
    package var isLoopback: Bool {
        isIPv6 ? bytes == [UInt8](repeating: 0, count: 15) + [1] : bytes.first == 127
    }

    package init?(_ given: String) {
        let family = given.utf8.contains(UInt8(ascii: ":")) ? AF_INET6 : AF_INET
        var bytes = [UInt8](repeating: 0, count: family == AF_INET6 ? 16 : 4)
        guard !given.utf8.contains(0), inet_pton(family, given, &bytes) == 1 else { return nil }
        var spelling = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        guard inet_ntop(family, bytes, &spelling, socklen_t(spelling.count)) != nil else { return nil }
        self.bytes = bytes
        text = String(decoding: spelling.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
