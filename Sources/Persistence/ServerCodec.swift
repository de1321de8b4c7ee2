import Bytes
import ChatCore
import ChatModel
import Wire

/// What a snapshot holds of the server as a whole: `{"format":2,"log":"…","nonce-key":"HEX","interval":false,
/// "settings":["limits.text=10"],"invites":[["HEX",1,1764500000000]],"addresses":["192.0.2.0/24"]}`; settings are those that
/// were SET, an invite is hash, uses left and when it expires. Where there is any: `"retain":[1000,86400]`, what is kept of
/// conversations of which nothing else is said (messages or 0, seconds or 0), `"link-key":"HEX"`, what signs links, and
/// `"metrics":"HEX"`, the hash of the token for `/metrics`.
package struct ServerSnapshot: Sendable, Equatable {
    package var logID = ""
    package var nonceKey: [UInt8] = []
    package var linkKey: [UInt8] = []
    package var isUncleanInterval = false
    package var settings: [String: String] = [:]
    package var invites: [TokenHash: Invite] = [:]
    package var metricsToken: TokenHash?
    package var bannedAddresses: [String] = []
    package var retention = Retention()

    package init(_ state: State) {
        (logID, nonceKey, isUncleanInterval) = (state.logID, state.nonceKey, state.isUncleanInterval)
        (linkKey, settings) = (state.linkKey, state.settings)
        (invites, bannedAddresses) = (state.invites, state.bannedAddresses)
        (retention, metricsToken) = (state.retentionDefaults, state.metricsToken)
    }

    package func encode(into out: inout ByteBuffer) {
        var object = JSONObject(in: &out)
        object.member("format", 2, &out)
        object.member("log", logID, &out)
        object.member("nonce-key", Hex.text(nonceKey), &out)
        if !linkKey.isEmpty { object.member("link-key", Hex.text(linkKey), &out) }
        object.member("interval", isUncleanInterval, &out)
        object.array("settings", settings.sorted { $0.key < $1.key }, &out) { setting, out in
            JSONString.append(string: "\(setting.key)=\(setting.value)", into: &out)
        }
        object.array("invites", invites.sorted { $0.key.hex < $1.key.hex }, &out) { entry, out in
            out.append("[\"")
            out.append(string: entry.key.hex)
            out.append("\",")
            out.append(decimal: UInt64(entry.value.uses))
            out.append(byte: 0x2C)
            out.append(decimal: UInt64(clamping: entry.value.expires.milliseconds))
            out.append(byte: 0x5D)
        }
        object.array("addresses", bannedAddresses, &out) { JSONString.append(string: $0, into: &$1) }
        if let metricsToken { object.member("metrics", metricsToken.hex, &out) }
        retention.encode(&object, into: &out)
        object.end(&out)
        out.append(byte: 0x0A)
    }

    package init(decoding bytes: UnsafeRawBufferPointer) throws(JSONFault) {
        var reader = JSONReader(bytes)
        var invites: [TokenHash: Invite] = [:]
        var addresses: [String] = []
        var (retention, metricsToken) = (Retention(), TokenHash?.none)
        var snapshot = (log: "", key: [UInt8](), link: [UInt8](), interval: false, settings: [String: String]())
        try reader.object { (reader, key) throws(JSONFault) in
            switch key {
            case "format": try SnapshotFormat.check(&reader)
            case "log": snapshot.log = try reader.string()
            case "nonce-key": snapshot.key = try Self.secretKey(&reader)
            case "link-key": snapshot.link = try Self.secretKey(&reader)
            case "interval": snapshot.interval = try reader.flag()
            case "settings":
                var settings: [String: String] = [:]
                try reader.array { (reader) throws(JSONFault) in
                    let text = try reader.string()
                    guard let equals = text.utf8.firstIndex(of: 0x3D) else { throw reader.fault("an unsound setting") }
                    settings[String(text[..<equals])] = String(text[text.utf8.index(after: equals)...])
                }
                snapshot.settings = settings
            case "invites":
                try reader.array { (reader) throws(JSONFault) in
                    let (hash, invite) = try Self.invite(&reader)
                    invites[hash] = invite
                }
            case "addresses":
                try reader.array { (reader) throws(JSONFault) in addresses.append(try reader.string()) }
            case "metrics": metricsToken = try reader.tokenHash()
            case "retain": retention = try Retention(&reader)
            default: throw reader.fault("an unknown key")
            }
        }
        try reader.end()
        (self.invites, bannedAddresses, self.retention) = (invites, addresses, retention)
        (logID, nonceKey, isUncleanInterval) = (snapshot.log, snapshot.key, snapshot.interval)
        (linkKey, settings) = (snapshot.link, snapshot.settings)
        self.metricsToken = metricsToken
    }

    private static func secretKey(_ reader: inout JSONReader) throws(JSONFault) -> [UInt8] {
        guard let key = Hex.bytes(try reader.string()), key.isEmpty || (16...32).contains(key.count) else {
            throw reader.fault("an unsound key")
        }
        return key
    }

    private static func invite(_ reader: inout JSONReader) throws(JSONFault) -> (TokenHash, Invite) {
        var hash: TokenHash?
        var (uses, expires) = (UInt64(0), Timestamp(milliseconds: 0))
        try reader.tuple(3) { (reader, index) throws(JSONFault) in
            switch index {
            case 0: hash = try reader.tokenHash()
            case 1: uses = try reader.number()
            default: expires = try reader.timestamp()
            }
        }
        guard let hash, let uses = UInt32(exactly: uses) else { throw reader.fault("an unsound invite") }
        return (hash, Invite(uses: uses, expires: expires))
    }
}
