/// Where a server listens: a host name or address, and a port.
package struct Endpoint: Equatable, Sendable, CustomStringConvertible {
    /// A name, an IPv4 address, or an IPv6 address without brackets.
    package let host: String
    package let port: UInt16

    package init(host: String, port: UInt16) { (self.host, self.port) = (host, port) }

    /// Where `fcd` listens when nothing else is said.
    package static let standard = Endpoint(host: "127.0.0.1", port: 7700)

    /// `HOST:PORT`, `[IPV6]:PORT`, or a host alone with the standard port. Nil for anything else.
    package init?(_ text: String) {
        guard !text.unicodeScalars.contains(where: { $0.properties.isWhitespace || JSONText.isEscaped($0) }) else {
            return nil
        }
        if text.hasPrefix("[") {
            guard let close = text.firstIndex(of: "]") else { return nil }
            let rest = text[text.index(after: close)...]
            self.init(text[text.index(after: text.startIndex)..<close], portText: rest)
        } else {
            let colon = text.firstIndex(of: ":") ?? text.endIndex
            self.init(text[..<colon], portText: text[colon...])
        }
    }

    private init?(_ host: Substring, portText: Substring) {
        guard !host.isEmpty else { return nil }
        if portText.isEmpty {
            self.init(host: String(host), port: Self.standard.port)
            return
        }
        let digits = portText.dropFirst()
        guard portText.first == ":", !digits.isEmpty, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
            return nil
        }
        guard let port = UInt16(digits), port > 0 else { return nil }
        self.init(host: String(host), port: port)
    }

    package var description: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }
}
