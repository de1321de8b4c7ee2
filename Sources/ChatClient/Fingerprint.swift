/// The SHA-256 of a certificate, by which a client knows its server again.
package struct Fingerprint: Equatable, Sendable, CustomStringConvertible {
    /// 64 upper-case hex digits.
    private let digits: String

    /// 32 bytes in hex, of any case, with or without colons or a `SHA256:` before them. Nil for anything else.
    package init?(_ text: String) {
        var hex = text.uppercased()
        if hex.hasPrefix("SHA256:") { hex.removeFirst(7) }
        hex.removeAll { $0 == ":" }
        guard hex.utf8.count == 64, hex.utf8.allSatisfy({ (0x30...0x39).contains($0) || (0x41...0x46).contains($0) })
        else { return nil }
        digits = hex
    }

    /// `AB:CD:…`, as READY and the openssl tool show it.
    package var description: String {
        let bytes = Array(digits.utf8)
        let pairs = stride(from: 0, to: bytes.count, by: 2).map { String(decoding: bytes[$0..<$0 + 2], as: UTF8.self) }
        return pairs.joined(separator: ":")
    }
}

/// What to do about the certificate a server shows.
package enum PinDecision: Equatable, Sendable {
    /// It is the known one.
    case accept
    /// It is what the person named: accept it and know it from now on.
    case learn
    /// Never seen: the person must be asked.
    case ask
    /// Not what the person named with `--fingerprint`.
    case refuseOther
    /// Not the one known: what a stranger between the two would look like.
    case refuseChanged

    /// Decides about `shown`; `known` is the pin of earlier, `named` what the person gave, which goes before the pin.
    package static func decide(shown: Fingerprint, known: Fingerprint?, named: Fingerprint?) -> PinDecision {
        if let named {
            if shown != named { return .refuseOther }
            return shown == known ? .accept : .learn
        }
        guard let known else { return .ask }
        return shown == known ? .accept : .refuseChanged
    }
}
