import Bytes
import ChatModel
import Wire

extension ChatModel.Reply {
    /// The reply's lines as a client without a tag reads them.
    package var lines: [String] {
        var out = ByteBuffer()
        ReplyRenderer.render(self, tag: .none, into: &out)
        return String(decoding: out.readable, as: UTF8.self).split(separator: "\n" as Character).map(String.init)
    }

    /// The values of `key` in the lines, one a line that has it.
    package func values(_ key: String) -> [String] { lines.compactMap { ServerLine($0)?[key] } }
}
