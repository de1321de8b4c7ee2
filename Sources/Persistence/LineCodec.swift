import Bytes
import ChatCore
import ChatModel
import Wire

/// Lines of conversations as files of a snapshot: a stretch of one conversation, or the newest lines of several.
///
/// ```
/// {"format":2,"timelines":[
/// {"n":2,"first":1,"lines":[
/// "EV create conv=#garden seq=1 …",
/// "EV msg conv=#garden seq=2 …"
/// ]}
/// ]}
/// ```
///
/// Of a conversation that does not keep all its lines, the newest say which is the first: `"first":9000,"kept":4000`.
package enum LineCodec {
    package static func begin(_ out: inout ByteBuffer) { out.append("{\"format\":2,\"timelines\":[\n") }
    package static func end(_ out: inout ByteBuffer) { out.append("\n]}\n") }

    /// - Parameter kept: the first seq of the conversation that any file has, where that is not 1; in front of the newest lines.
    package static func beginTimeline(
        _ number: ConversationNumber,
        first: Seq,
        kept: Seq? = nil,
        isFirst: Bool,
        into out: inout ByteBuffer
    ) {
        if !isFirst { out.append(",\n") }
        out.append("{\"n\":")
        out.append(decimal: UInt64(number.raw))
        out.append(",\"first\":")
        out.append(decimal: first)
        if let kept, kept > 1 {
            out.append(",\"kept\":")
            out.append(decimal: kept)
        }
        out.append(",\"lines\":[\n")
    }

    package static func endTimeline(_ out: inout ByteBuffer) { out.append("\n]}") }

    /// Appends whole lines, each with its LF, as strings; `isFirst` tells whether they begin the array. O(n).
    package static func encode(_ lines: UnsafeRawBufferPointer, isFirst: Bool, into out: inout ByteBuffer) {
        var (at, needsComma) = (0, !isFirst)
        while let end = LineSplitter.lineEnd(in: lines, from: at) {
            if needsComma { out.append(",\n") }
            needsComma = true
            JSONString.append(UnsafeRawBufferPointer(rebasing: lines[at..<end]), into: &out)
            at = end + 1
        }
    }

    /// Reads a file: `begin` hears of each conversation, its first seq in the file and `kept`, then `line` gets its lines,
    /// each with its LF, valid during the call.
    package static func decode(
        _ bytes: UnsafeRawBufferPointer,
        begin: (ConversationNumber, Seq, _ kept: Seq) throws(JSONFault) -> Void,
        line: (UnsafeRawBufferPointer) throws(JSONFault) -> Void
    ) throws(JSONFault) {
        var reader = JSONReader(bytes)
        try reader.object { (reader, key) throws(JSONFault) in
            switch key {
            case "format": try SnapshotFormat.check(&reader)
            case "timelines":
                try reader.array { (reader) throws(JSONFault) in try decodeTimeline(&reader, begin, line) }
            default: throw reader.fault("an unknown key")
            }
        }
        try reader.end()
    }

    private static func decodeTimeline(
        _ reader: inout JSONReader,
        _ begin: (ConversationNumber, Seq, _ kept: Seq) throws(JSONFault) -> Void,
        _ line: (UnsafeRawBufferPointer) throws(JSONFault) -> Void
    ) throws(JSONFault) {
        var number: ConversationNumber?
        var first: Seq?
        var kept: Seq = 1
        var buffer = ByteBuffer(capacity: 1024)
        try reader.object { (reader, key) throws(JSONFault) in
            switch key {
            case "n": number = try reader.conversationNumber()
            case "first": first = try reader.number()
            case "kept": kept = try reader.number()
            case "lines":
                guard let number, let first, kept >= 1, kept <= first, first <= State.largestSeq else {
                    throw reader.fault("lines without their place")
                }
                try begin(number, first, kept)
                try reader.array { (reader) throws(JSONFault) in
                    buffer.clear()
                    try reader.string(into: &buffer)
                    if LineSplitter.lineEnd(in: buffer.readable) != nil || buffer.isEmpty {
                        throw reader.fault("a line that is none")
                    }
                    buffer.append(byte: 0x0A)
                    try line(buffer.readable)
                }
            default: throw reader.fault("an unknown key")
            }
        }
    }
}
