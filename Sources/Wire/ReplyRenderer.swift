import Bytes
import ChatModel

/// Writes server lines other than events (protocol.md, Lines). Nothing it writes holds a control character but the LF
/// at the end of each line.
package enum ReplyRenderer {
    /// Appends the whole reply: its ROWs, then its OK or ERR, each with the tag. O(length).
    package static func render(_ reply: Reply, tag: Tag, into out: inout ByteBuffer) {
        switch reply {
        case .done(let rows, let fields):
            for row in rows { append(row, tag, &out) }
            ok(fields, tag, &out)
        case .event(let conversation, let seq, let time, let isRepeat):
            var times = TimeWriter()
            event(conversation, seq, time, isRepeat: isRepeat, tag, &times, &out)
        case .signedIn(let user, let token, let unread, _):
            var fields = [KeyValue.word("user", user)]
            if let token { fields.append(.word("token", token)) }
            if let unread { fields.append(.number("unread", unread)) }
            ok(fields, tag, &out)
        case .signedOut: ok([], tag, &out)
        case .passwordChanged(let user): ok([.word("user", user)], tag, &out)
        case .lines(let copy, let count, let more):
            append(copy, tag, &out)
            ok([.number("n", count), .flag("more", more)], tag, &out)
        case .page(let copy, let fields):
            append(copy, tag, &out)
            ok(fields, tag, &out)
        case .refused(let refusal): refused(refusal, tag, &out)
        case .bye:
            ok([], tag, &out)
            bye(nil, text: "goodbye", into: &out)
        case .own(let own): render(own, tag, &out)
        case .uploadMayBegin: break
        }
    }

    /// The same, with times that are mostly the same.
    package static func render(_ reply: Reply, tag: Tag, times: inout TimeWriter, into out: inout ByteBuffer) {
        if case .event(let conversation, let seq, let time, let isRepeat) = reply {
            event(conversation, seq, time, isRepeat: isRepeat, tag, &times, &out)
        } else {
            render(reply, tag: tag, into: &out)
        }
    }

    private static func event(
        _ conversation: String,
        _ seq: Seq,
        _ time: Timestamp,
        isRepeat: Bool,
        _ tag: Tag,
        _ times: inout TimeWriter,
        _ out: inout ByteBuffer
    ) {
        begin("OK", tag, &out)
        out.append(" conv=")
        ValueRenderer.append(word: conversation, into: &out)
        out.append(" seq=")
        out.append(decimal: seq)
        out.append(" ts=")
        times.append(time, into: &out)
        if isRepeat { out.append(" dup=yes") }
        out.append(byte: 0x0A)
    }

    /// `ASK [@tag] what - text`
    package static func ask(tag: Tag, what: String, text: String, into out: inout ByteBuffer) {
        begin("ASK", tag, &out)
        out.append(byte: 0x20)
        ValueRenderer.append(word: what, into: &out)
        end(text, &out)
    }

    /// `BYE CODE - text`; no code is `OK`.
    package static func bye(_ code: Code?, text: String, into out: inout ByteBuffer) {
        out.append("BYE ")
        out.append(string: code?.rawValue ?? "OK")
        end(text, &out)
    }

    /// `HI key=value … - type HELP`
    package static func greeting(fields: [KeyValue], into out: inout ByteBuffer) {
        out.append("HI")
        ValueRenderer.append(fields, into: &out)
        end("type HELP", &out)
    }

    /// An event outside any log: `EV kind key=value …`
    package static func notice(kind: String, fields: [KeyValue], into out: inout ByteBuffer) {
        out.append("EV ")
        ValueRenderer.append(word: kind, into: &out)
        ValueRenderer.append(fields, into: &out)
        out.append(byte: 0x0A)
    }

    private static func render(_ own: OwnReply, _ tag: Tag, _ out: inout ByteBuffer) {
        switch own {
        case .pong(let word): ok(word.map { [.word("pong", $0)] } ?? [], tag, &out)
        case .hello: ok([], tag, &out)
        case .refused(let refusal): refused(refusal, tag, &out)
        case .adminHelp(let word):
            let rows = AdminVerb.help.filter { word == nil || $0.verb == word }
            for (verb, text) in rows { append(Row("help", [.word("verb", verb), .text("text", text)]), tag, &out) }
            ok([.number("n", rows.count)], tag, &out)
        case .help(let word):
            let verbs = word.map { name in Verb.allCases.filter { $0.rawValue == name } } ?? Verb.allCases
            for verb in verbs {
                append(Row("help", [.word("verb", verb.rawValue), .text("text", verb.help)]), tag, &out)
            }
            ok([.number("n", verbs.count)], tag, &out)
        }
    }

    private static func append(_ row: Row, _ tag: Tag, _ out: inout ByteBuffer) {
        begin("ROW", tag, &out)
        out.append(byte: 0x20)
        ValueRenderer.append(word: row.kind, into: &out)
        ValueRenderer.append(row.fields, into: &out)
        out.append(byte: 0x0A)
    }

    /// Each copied line as a ROW. A leading `EV ` is dropped where it is still there.
    private static func append(_ copy: LineCopy, _ tag: Tag, _ out: inout ByteBuffer) {
        copy.bytes.withUnsafeBytes { bytes in
            var at = 0
            while at < bytes.count {
                let end = LineSplitter.lineEnd(in: bytes, from: at) ?? bytes.count
                var line = bytes[at..<end]
                if line.starts(with: "EV ".utf8) { line = line.dropFirst(3) }
                begin("ROW", tag, &out)
                out.append(byte: 0x20)
                out.append(UnsafeRawBufferPointer(rebasing: line))
                out.append(byte: 0x0A)
                at = end + 1
            }
        }
    }

    private static func ok(_ fields: [KeyValue], _ tag: Tag, _ out: inout ByteBuffer) {
        begin("OK", tag, &out)
        ValueRenderer.append(fields, into: &out)
        out.append(byte: 0x0A)
    }

    private static func refused(_ refusal: Refusal, _ tag: Tag, _ out: inout ByteBuffer) {
        begin("ERR", tag, &out)
        out.append(byte: 0x20)
        out.append(string: refusal.code.rawValue)
        switch refusal.retry {
        case .no: out.append(" retry=no")
        case .now: out.append(" retry=now")
        case .seconds(let seconds):
            out.append(" retry=")
            out.append(decimal: UInt64(clamping: seconds))
        }
        if let field = refusal.field { ValueRenderer.append(.word("field", field), into: &out) }
        ValueRenderer.append(refusal.details, into: &out)
        end(refusal.text, &out)
    }

    private static func begin(_ word: StaticString, _ tag: Tag, _ out: inout ByteBuffer) {
        out.append(word)
        tag.append(to: &out)
    }

    private static func end(_ remark: String, _ out: inout ByteBuffer) {
        ValueRenderer.append(remark: remark, into: &out)
        out.append(byte: 0x0A)
    }
}
