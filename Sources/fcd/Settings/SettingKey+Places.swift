import SystemIO

/// The kinds of settings that name places: files, addresses, URLs.
extension SettingKey {
    /// A file's path; the empty text stands for none.
    static func path(
        _ name: String,
        _ path: Place<String?>,
        _ summary: String
    ) -> SettingKey {
        SettingKey(name: name, kind: .path, summary: summary, traits: []) {
            $0[keyPath: path] ?? ""
        } write: {
            (settings, text) throws(Rejection) in
            guard text.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7f }) else {
                throw Rejection("a path has no control characters")
            }
            settings[keyPath: path] = text.isEmpty ? nil : text
        }
    }

    /// Scheme, host and port; the empty text stands for none. One slash at the end is dropped.
    static func url(
        _ name: String,
        _ path: Place<String?>,
        _ summary: String
    ) -> SettingKey {
        SettingKey(name: name, kind: .url, summary: summary, traits: []) {
            $0[keyPath: path] ?? ""
        } write: {
            (settings, text) throws(Rejection) in
            if text.isEmpty {
                settings[keyPath: path] = nil
                return
            }
            guard let url = origin(text) else { throw Rejection("allowed is \(SettingKind.url.allowed)") }
            settings[keyPath: path] = url
        }
    }

    static func chatAddresses(
        _ name: String,
        _ path: Place<[ListenAddress]>,
        _ summary: String
    ) -> SettingKey {
        SettingKey(name: name, kind: .addresses, summary: summary, traits: []) {
            $0[keyPath: path].map(\.description).joined(separator: ",")
        } write: { (settings, text) throws(Rejection) in
            var addresses: [ListenAddress] = []
            for part in text.split(separator: ",", omittingEmptySubsequences: false) {
                addresses.append(try ListenAddress(String(part)))
            }
            guard addresses.count <= 16 else { throw Rejection("at most 16 addresses are taken") }
            settings[keyPath: path] = addresses
        }
    }

    /// A loopback address, or `none`.
    static func loopbackAddress(
        _ name: String,
        _ path: Place<ListenAddress?>,
        _ summary: String
    ) -> SettingKey {
        SettingKey(name: name, kind: .address(optional: true), summary: summary, traits: []) {
            $0[keyPath: path]?.description ?? "none"
        } write: { (settings, text) throws(Rejection) in
            if text == "none" {
                settings[keyPath: path] = nil
                return
            }
            let address = try ListenAddress(text)
            guard address.isLoopback else {
                throw Rejection("without TLS only a loopback address is allowed (127.0.0.1, [::1]), or none")
            }
            settings[keyPath: path] = address
        }
    }

    static func address(
        _ name: String,
        _ path: Place<ListenAddress>,
        _ summary: String
    ) -> SettingKey {
        SettingKey(name: name, kind: .address(optional: false), summary: summary, traits: []) {
            $0[keyPath: path].description
        } write: { (settings, text) throws(Rejection) in
            let address = try ListenAddress(text)
            guard address.family != .unix else { throw Rejection("this port takes HOST:PORT only, no unix socket") }
            settings[keyPath: path] = address
        }
    }

    /// Addresses with an optional length; the empty text is the empty list.
    static func networks(
        _ name: String,
        _ path: Place<[NetworkPrefix]>,
        is traits: Traits,
        _ summary: String
    ) -> SettingKey {
        SettingKey(name: name, kind: .networks, summary: summary, traits: traits) {
            $0[keyPath: path].map(\.description).joined(separator: ",")
        } write: { (settings, text) throws(Rejection) in
            var networks: [NetworkPrefix] = []
            for part in text.isEmpty ? [] : text.split(separator: ",", omittingEmptySubsequences: false) {
                guard let network = NetworkPrefix(String(part)) else {
                    throw Rejection("allowed is \(SettingKind.networks.allowed)")
                }
                networks.append(network)
            }
            settings[keyPath: path] = networks
        }
    }

    /// `text` as SCHEME://HOST[:PORT], or nil when it is none.
    private static func origin(_ text: String) -> String? {
        let trimmed = text.hasSuffix("/") ? String(text.dropLast()) : text
        guard let scheme = ["https://", "http://"].first(where: trimmed.hasPrefix) else { return nil }
        var host = trimmed.dropFirst(scheme.count)
        if let colon = host.utf8.lastIndex(of: UInt8(ascii: ":")), host.utf8.last != UInt8(ascii: "]") {
            guard decimal(host[host.utf8.index(after: colon)...], in: 1...65535) != nil else { return nil }
            host = host[..<colon]
        }
        if host.utf8.first == UInt8(ascii: "["), host.utf8.last == UInt8(ascii: "]") {
            return NumericAddress(String(host.dropFirst().dropLast()))?.isIPv6 == true ? trimmed : nil
        }
        let allowed = host.utf8.allSatisfy { byte in
            switch byte {
            case 0x30...0x39, 0x41...0x5a, 0x61...0x7a, UInt8(ascii: "-"), UInt8(ascii: "."): true
            default: false
            }
        }
        return !host.isEmpty && host.utf8.count <= 253 && allowed ? trimmed : nil
    }
}
