import Bytes
import ChatCore
import Wire

/// What a snapshot holds of the server as a whole: `{"format":1,"log":"…","nonce-key":"HEX","interval":false,
/// "settings":["limits.text=10"]}`; settings are those that were SET.
package struct ServerSnapshot: Sendable, Equatable {
    package var logID = ""
    package var nonceKey: [UInt8] = []
    package var isUncleanInterval = false
    package var settings: [String: String] = [:]

    package init(_ state: State) {
        (logID, nonceKey, isUncleanInterval) = (state.logID, state.nonceKey, state.isUncleanInterval)
        settings = state.settings
    }

    package func encode(into out: inout ByteBuffer) {
        var object = JSONObject(in: &out)
        object.member("format", SnapshotFormat.version, &out)
        object.member("log", logID, &out)
        object.member("nonce-key", Hex.text(nonceKey), &out)
        object.member("interval", isUncleanInterval, &out)
        object.array("settings", settings.sorted { $0.key < $1.key }, &out) { setting, out in
            JSONString.append(string: "\(setting.key)=\(setting.value)", into: &out)
        }
        object.end(&out)
        out.append(byte: 0x0A)
    }

    package init(decoding bytes: UnsafeRawBufferPointer) throws(JSONFault) {
        var reader = JSONReader(bytes)
        var snapshot = (log: "", key: [UInt8](), interval: false, settings: [String: String]())
        try reader.object { (reader, key) throws(JSONFault) in
            switch key {
            case "format": try SnapshotFormat.check(&reader)
            case "log": snapshot.log = try reader.string()
            case "nonce-key":
                guard let key = Hex.bytes(try reader.string()) else { throw reader.fault("an unsound nonce-key") }
                snapshot.key = key
            case "interval": snapshot.interval = try reader.flag()
            case "settings":
                var settings: [String: String] = [:]
                try reader.array { (reader) throws(JSONFault) in
                    let text = try reader.string()
                    guard let equals = text.utf8.firstIndex(of: 0x3D) else { throw reader.fault("an unsound setting") }
                    settings[String(text[..<equals])] = String(text[text.utf8.index(after: equals)...])
                }
                snapshot.settings = settings
            default: throw reader.fault("an unknown key")
            }
        }
        try reader.end()
        (logID, nonceKey, isUncleanInterval) = (snapshot.log, snapshot.key, snapshot.interval)
        settings = snapshot.settings
    }
}
