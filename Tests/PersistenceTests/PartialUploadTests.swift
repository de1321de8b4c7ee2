import Bytes
import ChatModel
import Persistence
import Testing

@Suite("What is known of an upload in pieces") struct PartialUploadTests {
    private let upload = PartialUpload(
        id: BlobID(high: 1, low: 2),
        owner: AccountNumber(5),
        length: 48_213,
        name: "cat \"\\\r\n汉.png",
        type: "image/png",
        conversation: "#garden",
        metadata: "filename YQ==,x",
        expires: Timestamp(milliseconds: 1_764_500_000_000)
    )

    private func decode(_ bytes: [UInt8]) throws -> (upload: PartialUpload, checked: UInt64?) {
        try bytes.withUnsafeBytes { try PartialUploadCodec.decode($0) }
    }

    @Test func `comes back as it was, with and without what may be missing`() throws {
        let found = try decode(PartialUploadCodec.encode(upload, checked: 4096))
        #expect(found.upload == upload && found.checked == 4096)
        let bare = PartialUpload(
            id: upload.id,
            owner: upload.owner,
            length: 0,
            name: "file",
            type: nil,
            conversation: nil,
            metadata: "",
            expires: upload.expires
        )
        let other = try decode(PartialUploadCodec.encode(bare))
        #expect(other.upload == bare && other.checked == nil)
    }

    @Test func `no part of it is taken for all of it`() throws {
        let whole = PartialUploadCodec.encode(upload)
        for count in 0..<whole.count - 1 {
            #expect(throws: JSONFault.self) { try decode(Array(whole[..<count])) }
        }
        let text = String(decoding: whole, as: UTF8.self)
        for (old, new) in [
            ("\"format\":1", "\"format\":2"), ("\"account\":5", "\"account\":0"),
            ("\"account\":5", "\"account\":4294967296"),
            ("b_", "c_"), ("\"length\"", "\"frob\""),
        ] {
            let changed = text.replacing(old, with: new)
            #expect(changed != text)
            #expect(throws: JSONFault.self) { try decode(Array(changed.utf8)) }
        }
    }
}
