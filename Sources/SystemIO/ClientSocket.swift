import CLinux
import Glibc

/// Opening a TCP connection as a client, in steps, so that the caller does all the waiting.
package enum ClientSocket {
    /// A numeric address to try, as the resolver gave it.
    package struct Address: Sendable {
        fileprivate let family: Int32
        fileprivate let bytes: [UInt8]
    }

    /// Why a host name gives no address, in the resolver's words (gai_strerror(3)).
    package struct ResolveFailure: Error, CustomStringConvertible, Sendable {
        package let description: String
    }

    /// All addresses of `host` (a name, or an IPv4 or IPv6 address), in the resolver's order. Blocks as long as the
    /// resolver does (getaddrinfo(3)).
    package static func resolve(host: String, port: UInt16) throws(ResolveFailure) -> [Address] {
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        hints.ai_flags = AI_NUMERICSERV
        var first: UnsafeMutablePointer<addrinfo>?
        let code = getaddrinfo(host, "\(port)", &hints, &first)
        guard code == 0 else { throw ResolveFailure(description: String(cString: gai_strerror(code))) }
        defer { freeaddrinfo(first) }
        var addresses: [Address] = []
        var next = first
        while let info = next?.pointee {
            if let raw = info.ai_addr {
                let bytes = UnsafeRawBufferPointer(start: raw, count: Int(info.ai_addrlen))
                addresses.append(Address(family: info.ai_family, bytes: Array(bytes)))
            }
            next = info.ai_next
        }
        return addresses
    }

    /// Begins to connect: the descriptor becomes writable when it is decided. Non-blocking, close-on-exec, without
    /// Nagle's delay, with keep-alive.
    package static func begin(_ address: Address) throws(Errno) -> Descriptor {
        let type = Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
        let descriptor = Descriptor(owning: try retrying("socket") { socket(address.family, type, 0) })
        _ = fc_set_nodelay(descriptor.number)
        _ = fc_set_keepalive(descriptor.number)
        let (result, code) = address.bytes.withUnsafeBytes { (raw: UnsafeRawBufferPointer) -> (Int32, Int32) in
            guard let start = raw.bindMemory(to: sockaddr.self).baseAddress else { return (-1, EINVAL) }
            let result = connect(descriptor.number, start, socklen_t(raw.count))
            return (result, errno)
        }
        // An interrupted connect goes on in the background like one that has to wait (connect(2)).
        if result == -1, code != EINPROGRESS, code != EINTR { throw Errno(code: code, call: "connect") }
        return descriptor
    }

    /// How the connecting ended, once the descriptor is writable.
    /// - Throws: `Errno` when the peer cannot be reached.
    package static func conclude(_ descriptor: Int32) throws(Errno) {
        var code: Int32 = 0
        var size = socklen_t(MemoryLayout<Int32>.size)
        try retrying("getsockopt") { getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &code, &size) }
        if code != 0 { throw Errno(code: code, call: "connect") }
    }

    /// From now on a peer that is gone gives EPIPE and no signal (signal(7)); for the whole process.
    package static func ignoreBrokenPipes() { fc_ignore_sigpipe() }
}
