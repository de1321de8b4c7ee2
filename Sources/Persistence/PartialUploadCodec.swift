import Bytes
import ChatModel

/// What stands beside the bytes of an upload in pieces: `{"format":1,"id":"b_…","account":5,"length":48213,"name":"cat.png",
/// "type":"image/png","conv":"#garden","metadata":"…","expires":1764500000000,"checked":4096}`. `type` and `conv` may be missing.
/// With `checked` only so many bytes count: what is behind them was to be compared with a checksum and has not been.
package enum PartialUploadCodec {
    private static let format: UInt64 = 1

    package static func encode(_ upload: PartialUpload, checked: UInt64? = nil) -> [UInt8] {
        var out = ByteBuffer()
        var object = JSONObject(in: &out)
        object.member("format", format, &out)
        object.member("id", upload.id.text, &out)
        object.member("account", UInt64(upload.owner.raw), &out)
        object.member("length", upload.length, &out)
        object.member("name", upload.name, &out)
        if let type = upload.type { object.member("type", type, &out) }
        if let conversation = upload.conversation { object.member("conv", conversation, &out) }
        object.member("metadata", upload.metadata, &out)
        object.member("expires", UInt64(clamping: upload.expires.milliseconds), &out)
        if let checked { object.member("checked", checked, &out) }
        object.end(&out)
        out.append(byte: 0x0A)
        return Array(out.readable)
    }

    package static func decode(
        _ bytes: UnsafeRawBufferPointer
    ) throws(JSONFault) -> (upload: PartialUpload, checked: UInt64?) {
        var reader = JSONReader(bytes)
        var (id, type, conversation, checked) = (BlobID?.none, String?.none, String?.none, UInt64?.none)
        var (account, length, expires) = (UInt64(0), UInt64(0), UInt64(0))
        var (name, metadata) = ("", "")
        try reader.object { (reader, key) throws(JSONFault) in
            switch key {
            case "format":
                let number = try reader.number()
                guard number == format else { throw reader.fault("an unknown format") }
            case "id": id = BlobID(try reader.string().utf8)
            case "account": account = try reader.number()
            case "length": length = try reader.number()
            case "name": name = try reader.string()
            case "type": type = try reader.string()
            case "conv": conversation = try reader.string()
            case "metadata": metadata = try reader.string()
            case "expires": expires = try reader.number()
            case "checked": checked = try reader.number()
            default: throw reader.fault("an unknown key")
            }
        }
        try reader.end()
        guard let id, let owner = UInt32(exactly: account), owner > 0, !name.isEmpty else {
            throw reader.fault("an upload without its sound fields")
        }
        let upload = PartialUpload(
            id: id,
            owner: AccountNumber(owner),
            length: length,
            name: name,
            type: type,
            conversation: conversation,
            metadata: metadata,
            expires: Timestamp(milliseconds: Int64(clamping: expires))
        )
        return (upload, checked)
    }
}
