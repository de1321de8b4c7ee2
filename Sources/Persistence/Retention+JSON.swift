import Bytes
import ChatModel

/// `"retain":[1000,86400]` in files of a snapshot: messages or 0, seconds or 0.
extension Retention {
    /// Appends the member; nothing where nothing is said.
    func encode(_ object: inout JSONObject, into out: inout ByteBuffer) {
        if self == Retention() { return }
        object.array("retain", [max ?? 0, UInt64(clamping: age ?? 0)], &out) { $1.append(decimal: $0) }
    }

    init(_ reader: inout JSONReader) throws(JSONFault) {
        var (max, age) = (UInt64(0), UInt64(0))
        try reader.tuple(2) { (reader, index) throws(JSONFault) in
            if index == 0 { max = try reader.number() } else { age = try reader.number() }
        }
        guard let seconds = Int64(exactly: age) else { throw reader.fault("an unsound age") }
        self.init(max: max == 0 ? nil : max, age: seconds == 0 ? nil : seconds)
    }
}
