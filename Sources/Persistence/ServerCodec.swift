import Bytes
import ChatCore

/// What a snapshot holds of the server as a whole: `{"format":1,"log":"…","nonce-key":"HEX","interval":false}`.
package struct ServerSnapshot: Sendable, Equatable {
    package var logID = ""
    package var nonceKey: [UInt8] = []
    package var isUncleanInterval = false

    package init(_ state: State) {
        (logID, nonceKey, isUncleanInterval) = (state.logID, state.nonceKey, state.isUncleanInterval)
    }

    package func encode(into out: inout ByteBuffer) {
        var object = JSONObject(in: &out)
        object.member("format", SnapshotFormat.version, &out)
        object.member("log", logID, &out)
        object.member("nonce-key", Hex.text(nonceKey), &out)
        object.member("interval", isUncleanInterval, &out)
        object.end(&out)
        out.append(byte: 0x0A)
    }

    package init(decoding bytes: UnsafeRawBufferPointer) throws(JSONFault) {
        var reader = JSONReader(bytes)
        var snapshot = (log: "", key: [UInt8](), interval: false)
        try reader.object { (reader, key) throws(JSONFault) in
            switch key {
            case "format": try SnapshotFormat.check(&reader)
            case "log": snapshot.log = try reader.string()
            case "nonce-key":
                guard let key = Hex.bytes(try reader.string()) else { throw reader.fault("an unsound nonce-key") }
                snapshot.key = key
            case "interval": snapshot.interval = try reader.flag()
            default: throw reader.fault("an unknown key")
            }
        }
        try reader.end()
        (logID, nonceKey, isUncleanInterval) = (snapshot.log, snapshot.key, snapshot.interval)
    }
}
