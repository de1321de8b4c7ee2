import Bytes
import ChatModel
import ChatTesting
import Engine
import SystemIO
import Testing

/// The mail of this test: what a loop gets, and the end.
private enum Post: Sendable {
    case loop(LoopMail)
    case done
}

/// Lines of the form `<number>:<version>:<filling>`: a reader tells from a line alone whether it is whole.
private enum Line {
    static func bytes(_ number: Int, version: Int, length: Int) -> [UInt8] {
        let head = Array("\(number):\(version):".utf8)
        let filling = UInt8(truncatingIfNeeded: 0x61 + (number + version) % 26)
        return head + Array(repeating: filling, count: max(1, length - head.count))
    }

    /// The number of a whole line; nil when something in it is foreign.
    static func check(_ line: UnsafeRawBufferPointer) -> Int? {
        var (numbers, at): ([Int], Int) = ([0, 0], 0)
        for index in 0..<2 {
            while at < line.count, line[at] != 0x3A {
                guard line[at] >= 0x30, line[at] <= 0x39 else { return nil }
                numbers[index] = numbers[index] * 10 + Int(line[at] - 0x30)
                at += 1
            }
            at += 1
        }
        let filling = UInt8(truncatingIfNeeded: 0x61 + (numbers[0] + numbers[1]) % 26)
        guard at < line.count else { return nil }
        while at < line.count {
            if line[at] != filling { return nil }
            at += 1
        }
        return numbers[0]
    }
}

/// How far things are, so that the speaker does not leave the readers behind and these know what may be skipped.
private final class Progress: Sendable {
    private struct Marks {
        var trimmed = 0
        var read: [Int]
    }
    private let marks: Lock<Marks>

    init(readers: Int) { marks = Lock(Marks(read: Array(repeating: 0, count: readers))) }

    /// The first line that is still kept.
    var trimmed: Int { marks.withLock { (marks: inout Marks) -> Int in marks.trimmed } }
    func trim(_ first: Int) { marks.withLock { (marks: inout Marks) in marks.trimmed = first } }

    func read(_ number: Int, by reader: Int) {
        marks.withLock { (marks: inout Marks) in marks.read[reader] = number }
        marks.signal()
    }

    /// Waits until every reader has read `number`, at most ten seconds.
    func wait(for number: Int) {
        let isThere: Bool? = marks.wait(atMost: 10) { (marks: inout Marks) -> Bool? in
            marks.read.allSatisfy { $0 >= number } ? true : nil
        }
        if isThere == nil { Issue.record("the readers do not come to line \(number)") }
    }
}

/// A loop: takes mail, gathers for its owners, checks every line.
private struct ReadingLoop {
    let mailbox: Mailbox<Post>
    private let (number, progress): (Int, Progress)
    private let table = CursorTable()
    private let room = UnsafeMutableRawPointer.allocate(byteCount: 1 << 17, alignment: 16)
    /// By owner, the number of the next line it must read; a trim may move it on, nothing else.
    private var next: [Int]
    private var mostTrimmed = 0
    private(set) var lines = 0
    private(set) var faults: [String] = []

    init(_ mailbox: Mailbox<Post>, owners: Int, number: Int, _ progress: Progress) {
        (self.mailbox, self.number, self.progress) = (mailbox, number, progress)
        next = Array(repeating: 1, count: owners)
    }

    mutating func run() {
        defer { room.deallocate() }
        guard let poller = try? Poller() else { return }
        try? poller.add(mailbox.wakeUp.number, .input, token: 0)
        var (batch, isDone) = (ContiguousArray<Post>(), false)
        while !isDone {
            if table.readyCount == 0, mailbox.sleep(), poller.wait(milliseconds: 10_000) == 0 {
                faults.append("no mail for ten seconds")
                return
            }
            mailbox.take(into: &batch)
            for post in batch { isDone = take(post) || isDone }
            batch.removeAll(keepingCapacity: true)
            mostTrimmed = progress.trimmed
            for _ in 0..<4 { gatherNext() }
            progress.read(next.min() ?? 0, by: number)
        }
        mostTrimmed = progress.trimmed
        while table.readyCount > 0 { gatherNext() }
    }

    private mutating func take(_ post: Post) -> Bool {
        guard case .loop(let mail) = post else { return true }
        switch mail {
        case .open(let number, let lines): table.open(number, lines)
        case .extend(let number, let ordinal, let piece): table.extend(number, ordinal: ordinal, piece)
        case .replace(let number, let ordinal, let piece): table.replace(number, ordinal: ordinal, piece)
        case .trim(let number, let lines): table.trim(number, lines)
        case .close(let number): table.close(number)
        case .subscribe(let key, let number, let place): table.subscribe(Int(key.slot), number, at: place)
        case .end(let key, let number): table.end(Int(key.slot), number)
        default: faults.append("strange mail")
        }
        return false
    }

    private mutating func gatherNext() {
        guard let owner = table.nextReady() else { return }
        let count = table.gather(owner, into: room, used: 0)
        var at = 0
        let bytes = UnsafeRawBufferPointer(start: room, count: count)
        while at < count {
            guard let end = LineSplitter.lineEnd(in: bytes, from: at) else {
                faults.append("half a line")
                return
            }
            read(UnsafeRawBufferPointer(rebasing: bytes[at..<end]), owner)
            at = end + 1
        }
        if table.isBehind(owner) { table.markReady(owner) }
    }

    private mutating func read(_ line: UnsafeRawBufferPointer, _ owner: Int) {
        lines += 1
        guard let number = Line.check(line) else { return faults.append("a torn line") }
        let isNext = number == next[owner]
        let isSkipped = number > next[owner] && number <= mostTrimmed
        if !isNext, !isSkipped { faults.append("\(number) instead of \(next[owner])") }
        next[owner] = number + 1
    }

    /// The line each owner would read next.
    var places: [Int] { next }
}

@Suite("Lines between threads") struct TimelineTests {
    private let conversation = ConversationNumber(1)

    /// Says `count` lines and publishes them to `mailboxes` in random portions, replacing and trimming on the way.
    private func speak(_ count: Int, to mailboxes: [Mailbox<Post>], owners: Int, seed: UInt64, _ progress: Progress) {
        var random = SeededRandom(seed: seed)
        var (timeline, number) = (Timeline(), 0)
        func tell(_ mail: LoopMail) { for mailbox in mailboxes { mailbox.post(.loop(mail)) } }
        func say() {
            number += 1
            let length =
                Int.random(in: 0..<200, using: &random) == 0 ? 20_000 : Int.random(in: 20...120, using: &random)
            Line.bytes(number, version: 0, length: length).withUnsafeBytes { timeline.append($0) }
        }
        func publish() {
            let last = timeline.end.ordinal
            for ordinal in max(timeline.publishedOrdinal, timeline.firstOrdinal)...last {
                tell(.extend(conversation, ordinal: ordinal, timeline.piece(ordinal)))
            }
            timeline.publishedOrdinal = last
        }
        say()
        tell(.open(conversation, timeline.published()))
        for owner in 0..<owners {
            tell(.subscribe(ConnectionKey(loop: 0, slot: owner, generation: 1), conversation, timeline.place(of: 1)))
        }
        while number < count {
            for _ in 0..<Int.random(in: 1...64, using: &random) { say() }
            publish()
            if Int.random(in: 0..<4, using: &random) == 0 {
                let seq = UInt64.random(
                    in: max(timeline.firstSeq, UInt64(max(1, number - 500)))...UInt64(number),
                    using: &random
                )
                let line =
                    Line.bytes(Int(seq), version: number, length: Int.random(in: 20...300, using: &random)) + [0x0A]
                if let ordinal = line.dropLast().withUnsafeBytes({ timeline.replace(seq, with: $0) }) {
                    tell(.replace(conversation, ordinal: ordinal, timeline.piece(ordinal)))
                }
            }
            if Int.random(in: 0..<100, using: &random) == 0 {
                // One trim in four goes past readers.
                if Int.random(in: 0..<4, using: &random) > 0 { progress.wait(for: number - 3_000) }
                let first = timeline.trim(below: UInt64(max(1, number - 3_000)))
                progress.trim(Int(timeline.firstSeq))
                let place = timeline.place(of: timeline.firstSeq)
                tell(
                    .trim(
                        conversation,
                        TrimmedLines(firstOrdinal: first, keptSeq: timeline.firstSeq, kept: place)
                    )
                )
            }
        }
        for owner in 0..<owners { tell(.end(ConnectionKey(loop: 0, slot: owner, generation: 1), conversation)) }
        say()
        publish()
        tell(.close(conversation))
        for mailbox in mailboxes { mailbox.post(.done) }
    }

    @Test func `reach every reader whole and in order while they are appended, replaced and trimmed`() throws {
        let count = Scale.of(200_000)
        let owners = 3
        let mailboxes = try (0..<2).map { _ in try Mailbox<Post>() }
        let progress = Progress(readers: mailboxes.count)
        let results = Lock([(lines: Int, faults: [String], places: [Int])]())
        let readers = mailboxes.enumerated().map { number, mailbox in
            SystemIO.Thread(name: "reader \(number)") {
                var loop = ReadingLoop(mailbox, owners: owners, number: number, progress)
                loop.run()
                let result = (loop.lines, loop.faults, loop.places)
                results.withLock { (all: inout [(lines: Int, faults: [String], places: [Int])]) in all.append(result) }
            }
        }
        let engine = SystemIO.Thread(name: "engine") {
            speak(count, to: mailboxes, owners: owners, seed: 9, progress)
        }
        engine.join()
        for reader in readers { reader.join() }
        let all = results.withLock { (all: inout [(lines: Int, faults: [String], places: [Int])]) in all }
        #expect(all.count == 2)
        for result in all {
            #expect(result.faults.prefix(5) == [])
            #expect(Set(result.places).count == 1, "all read to the end that was set, and not the line behind it")
            #expect(result.places[0] > count && result.places[0] <= count + 65)
            #expect(result.lines > owners * count / 2, "\(result.lines) lines read")
        }
        #expect(all[0].places == all[1].places)
    }
}
