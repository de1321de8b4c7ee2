/// What strace(1) wrote while the texts `text.USER.NUMBER.end` were sent with the tags `uUSERnNUMBER` over plain sockets,
/// read as a sequence of steps: record written, sync begun, sync returned, OK or event sent.
///
/// Two things are counted with care: a call that other threads interrupt in the log has a line for its beginning and one
/// for its end; and a sync covers only what was written before it began.
struct SystemCallTrace {
    private(set) var faults: [String] = []
    private(set) var spokenOK = 0
    private(set) var spokenEvents = 0
    private var written: [Substring: Int] = [:]
    private var writing: [Substring: [Substring]] = [:]
    private var syncing: [Substring: Int] = [:]
    /// Steps at which syncs began that have returned by now: what was written before the newest of them is on disk.
    private var durable = -1

    init(_ log: String) {
        for (step, line) in log.split(separator: "\n").enumerated() { read(line, step) }
    }

    private mutating func read(_ line: Substring, _ step: Int) {
        guard let blank = line.firstIndex(of: " ") else { return }
        let thread = line[..<blank]
        let call = line[blank...].drop { $0 == " " }
        let isUnfinished = call.hasSuffix("<unfinished ...>")
        if call.hasPrefix("<... ") {
            finish(call.dropFirst(5), thread, step)
        } else if call.hasPrefix("fdatasync") || call.hasPrefix("fsync") {
            if isUnfinished { syncing[thread] = step } else { durable = max(durable, step) }
        } else {
            speak(call, step)
            // A record carries the text but no reply's or event's beginning of its own: those go to sockets.
            let texts = isSocket(call) ? [] : names(in: call, between: "text.", and: ".end")
            if isUnfinished { writing[thread] = texts } else { for text in texts { note(text, step) } }
        }
    }

    private mutating func finish(_ call: Substring, _ thread: Substring, _ step: Int) {
        if call.hasPrefix("fdatasync") || call.hasPrefix("fsync") {
            if let began = syncing.removeValue(forKey: thread) { durable = max(durable, began) }
        } else {
            for text in writing.removeValue(forKey: thread) ?? [] { note(text, step) }
        }
    }

    private mutating func note(_ text: Substring, _ step: Int) {
        if written[text] == nil { written[text] = step }
    }

    /// Lines for clients go by send, or by a write whose bytes begin with a server's word.
    private func isSocket(_ call: Substring) -> Bool {
        if call.hasPrefix("send") { return true }
        guard call.hasPrefix("write"), let quote = call.firstIndex(of: "\"") else { return false }
        let bytes = call[call.index(after: quote)...]
        return bytes.hasPrefix("OK ") || bytes.hasPrefix("EV ") || bytes.hasPrefix("ERR ")
    }

    private mutating func speak(_ call: Substring, _ step: Int) {
        guard isSocket(call) else { return }
        for tag in names(in: call, between: "OK @u", and: " conv=") {
            spokenOK += 1
            check(tag.replacing("n", with: ".")[...], step, "OK")
        }
        for text in names(in: call, between: "text.", and: ".end") {
            spokenEvents += 1
            check(text, step, "event")
        }
    }

    private mutating func check(_ text: Substring, _ step: Int, _ what: String) {
        guard let record = written[text] else {
            return faults.append("\(what) of \(text) before its record was written")
        }
        if record >= durable {
            faults.append("\(what) of \(text) at \(step), written at \(record), synced to \(durable)")
        }
    }

    private func names(in call: Substring, between start: String, and end: String) -> [Substring] {
        call.ranges(of: start).compactMap { range in
            let rest = call[range.upperBound...]
            return rest.firstRange(of: end).map { rest[..<$0.lowerBound] }
        }
    }
}
