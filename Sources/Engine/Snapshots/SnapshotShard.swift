import Bytes
import ChatCore
import ChatModel
import Persistence
import Wire

/// What one file of a snapshot says, decoded.
///
/// `@unchecked Sendable`: made by one thread and handed over whole; the chunks in it are written by their maker alone,
/// before that.
package enum SnapshotShard: @unchecked Sendable {
    case server(ServerSnapshot)
    case accounts([(slot: AccountSlot, at: UInt64)])
    case conversations([(snapshot: ConversationSnapshot, at: UInt64)])
    case timelines([TimelineRun])
    case collections([(snapshot: CollectionSnapshot, at: UInt64)])
    case items(ItemRun)

    /// Decodes the file of `part`. O(bytes); for any thread.
    package init(_ part: SnapshotPart, _ bytes: UnsafeRawBufferPointer) throws(JSONFault) {
        switch part {
        case .server: self = .server(try ServerSnapshot(decoding: bytes))
        case .accounts:
            var accounts: [(slot: AccountSlot, at: UInt64)] = []
            try AccountCodec.decode(bytes) { (slot, at) throws(JSONFault) in accounts.append((slot, at)) }
            self = .accounts(accounts)
        case .conversations:
            var conversations: [(snapshot: ConversationSnapshot, at: UInt64)] = []
            try ConversationCodec.decode(bytes) { (snapshot, at) throws(JSONFault) in
                conversations.append((snapshot, at))
            }
            self = .conversations(conversations)
        case .tails: self = .timelines(try Self.runs(bytes, isStretch: false))
        case .stretch: self = .timelines(try Self.runs(bytes, isStretch: true))
        case .collections:
            var collections: [(snapshot: CollectionSnapshot, at: UInt64)] = []
            try CollectionCodec.decode(bytes) { (snapshot, at) throws(JSONFault) in collections.append((snapshot, at)) }
            self = .collections(collections)
        case .items: self = .items(try ItemRun(decoding: bytes))
        }
    }

    private static func runs(
        _ bytes: UnsafeRawBufferPointer,
        isStretch: Bool
    ) throws(JSONFault) -> [TimelineRun] {
        var runs: [TimelineRun] = []
        var open: TimelineRun.Builder?
        try LineCodec.decode(
            bytes,
            begin: { (number, first, kept) throws(JSONFault) in
                if let done = open.take() { runs.append(done.finish()) }
                open = TimelineRun.Builder(number, first: first, kept: kept, isStretch: isStretch)
            },
            line: { (line) throws(JSONFault) in open?.append(line) }
        )
        if let done = open.take() { runs.append(done.finish()) }
        return runs
    }
}

/// Consecutive lines of one conversation, in chunks as a timeline has them.
package struct TimelineRun {
    package let conversation: ConversationNumber
    package let first: Seq
    /// What stands below was gone when the newest lines were written.
    let kept: Seq
    package internal(set) var isStretch: Bool
    var pieces: [Timeline.Piece] = []
    /// Lines.
    package var count = 0
    /// One bit a line: whether it is a message.
    private var messages: [UInt64] = []

    /// What `body` makes of the first line of which it makes anything.
    func firstLine<Result>(_ body: (UnsafeRawBufferPointer) -> Result?) -> Result? {
        for piece in pieces {
            let bytes = UnsafeRawBufferPointer(start: piece.chunk.base, count: Int(piece.length))
            guard let end = LineSplitter.lineEnd(in: bytes) else { continue }
            if let result = body(UnsafeRawBufferPointer(rebasing: bytes[..<end])) { return result }
        }
        return nil
    }

    /// The line at `index`, without its LF. O(lines).
    func line(_ index: Int) -> [UInt8]? {
        guard let piece = pieces.last(where: { $0.firstSeq <= first + Seq(index) }) else { return nil }
        let bytes = UnsafeRawBufferPointer(start: piece.chunk.base, count: Int(piece.length))
        let count = Int(clamping: first + Seq(index) - piece.firstSeq)
        guard let start = LineSplitter.offset(ofLine: count, in: bytes),
            let end = LineSplitter.lineEnd(in: bytes, from: start)
        else { return nil }
        return Array(bytes[start..<end])
    }

    func isMessage(_ index: Int) -> Bool { messages[index >> 6] >> UInt64(index & 63) & 1 == 1 }

    /// Fills chunks with lines.
    final class Builder {
        private var run: TimelineRun
        private var buffer = ByteBuffer(capacity: Chunk.largest)
        private var pieceFirst: Seq

        init(_ conversation: ConversationNumber, first: Seq, kept: Seq = 1, isStretch: Bool) {
            run = TimelineRun(conversation: conversation, first: first, kept: kept, isStretch: isStretch)
            pieceFirst = first
        }

        /// Appends a line with its LF.
        func append(_ line: UnsafeRawBufferPointer) {
            if buffer.count + line.count > Chunk.largest { cut() }
            buffer.append(line)
            let bit = run.count & 63
            if bit == 0 { run.messages.append(0) }
            let word: StaticString = "EV msg "
            let isMessage = line.count > 7 && (0..<7).allSatisfy { line[$0] == word.utf8Start[$0] }
            if isMessage { run.messages[run.messages.count - 1] |= 1 << UInt64(bit) }
            run.count += 1
        }

        func finish() -> TimelineRun {
            cut()
            return run
        }

        /// A chunk of exactly these bytes: what follows begins another one.
        private func cut() {
            guard let source = buffer.readable.baseAddress, buffer.count > 0 else { return }
            let chunk = Chunk(capacity: buffer.count)
            chunk.base.copyMemory(from: source, byteCount: buffer.count)
            run.pieces.append(Timeline.Piece(chunk: chunk, length: Int32(buffer.count), firstSeq: pieceFirst))
            pieceFirst = run.first + Seq(run.count)
            buffer.clear()
        }
    }

    private init(conversation: ConversationNumber, first: Seq, kept: Seq, isStretch: Bool) {
        (self.conversation, self.first, self.kept, self.isStretch) = (conversation, first, kept, isStretch)
    }
}
