#if canImport(CEdit)
    import ChatClient
    import Glibc
    import SystemIO

    /// The terminal of the chat: lines above, the line being typed below. Whole again when its owner lets go of it.
    final class ChatTerminal {
        private static let input: Int32 = 0

        private let screen: TerminalGuard
        private let line: EditedLine
        private var keys = KeyReader()
        private var shown: [String] = []
        private var isToRing = false
        private var row = InputRow(prompt: "", line: [], cursor: 0, columns: 80, isolates: false)
        private var drawn: (prompt: String, row: InputRow, columns: Int)?
        private var events: [TerminalGuard.Event] = []
        /// Whether the terminal takes UTF-8; else what is not ASCII is spelled out, since its bytes may be controls there.
        let isUnicode: Bool

        /// What the person did.
        enum Act: Equatable {
            case line(String)
            case quit
        }

        init() throws(Failure) {
            isUnicode = Self.takesUnicode
            do {
                screen = try TerminalGuard(Self.input)
            } catch {
                throw Failure(.usage, "the chat needs a terminal: \(error)")
            }
            line = try EditedLine(Self.input)
            try write("\u{1b}[?2004h")
        }

        /// UTF-8 unless the locale names another character set.
        private static var takesUnicode: Bool {
            setlocale(LC_CTYPE, "")
            let name = nl_langinfo(nl_item(CODESET)).map { String(cString: $0) } ?? ""
            return name == "UTF-8" || name.hasPrefix("ANSI_X3.4")
        }

        var watches: [Watch] { [Watch(Self.input, input: true), Watch(screen.descriptor, input: true)] }

        /// Puts the terminal back as it was.
        func leave() { screen.restore() }

        /// To be shown above the line with the next `draw`.
        func show(_ text: String) { shown.append(text) }

        /// The bell, with the next `draw`; several at once ring once.
        func ring() { isToRing = true }

        /// Takes what was typed and what came by signal.
        /// - Throws: the quiet end when the process is to end, or the terminal is gone.
        func acts() throws(Failure) -> [Act] {
            while let event = screen.next() { events.append(event) }
            var acts: [Act] = []
            while !events.isEmpty { if let act = try take(events.removeFirst()) { acts.append(act) } }
            return acts + (try typed())
        }

        private func take(_ event: TerminalGuard.Event) throws(Failure) -> Act? {
            switch event {
            case .ended: throw .quietEnd
            case .resized: try wrapped()
            case .interrupted:
                if line.scalars.isEmpty { return .quit }
                line.clear()
            case .suspended:
                line.apart { screen.stop() }
                drawn = nil
                try write("\u{1b}[?2004h")
            }
            return nil
        }

        private func typed() throws(Failure) -> [Act] {
            var watches = [Watch(Self.input, input: true)]
            guard let any = try? Watch.wait(for: &watches, milliseconds: 0), any else { return [] }
            let bytes: [UInt8]
            do {
                bytes = try FileBytes.chunk(Self.input, atMost: 65_536)
            } catch {
                if error.isTryAgain { return [] }
                throw .quietEnd
            }
            // The terminal is gone.
            if bytes.isEmpty { throw .quietEnd }
            var acts: [Act] = []
            for stroke in keys.take(bytes) { if let act = try obey(stroke) { acts.append(act) } }
            return acts
        }

        private func obey(_ stroke: KeyStroke) throws(Failure) -> Act? {
            switch stroke {
            case .keys(let keys): line.feed(keys)
            case .paste(let text): line.insert(text)
            case .enter: return .line(Self.text(line.take()))
            case .end:
                if line.scalars.isEmpty { return .quit }
                line.feed(["\u{04}"])
            case .redraw:
                try write("\u{1b}[H\u{1b}[2J")
                drawn = nil
            }
            return nil
        }

        private static func text(_ scalars: [Unicode.Scalar]) -> String {
            var text = String.UnicodeScalarView()
            text.append(contentsOf: scalars)
            return String(text)
        }

        /// Shows what is new, and the line being typed behind `prompt`.
        func draw(_ prompt: String) throws(Failure) {
            let columns = screen.columns
            let row = InputRow(
                prompt: prompt,
                line: line.scalars,
                cursor: line.cursor,
                columns: columns,
                isolates: isUnicode
            )
            if shown.isEmpty, !isToRing, let drawn, drawn.row == row, drawn.columns == columns { return }
            var out = (isToRing ? "\u{07}" : "") + "\r\u{1b}[J"
            isToRing = false
            for text in shown {
                out += text.split(separator: "\n", omittingEmptySubsequences: false).joined(separator: "\r\n") + "\r\n"
            }
            out += row.text + "\r" + (row.cursor > 0 ? "\u{1b}[\(row.cursor)C" : "")
            shown.removeAll(keepingCapacity: true)
            drawn = (prompt, row, columns)
            try write(out)
        }

        /// The window has another size: a narrower one has wrapped the line being typed, so the cursor goes up to where it
        /// begins.
        private func wrapped() throws(Failure) {
            guard let drawn else { return }
            let above = drawn.row.cursor / max(screen.columns, 1)
            if screen.columns < drawn.columns, above > 0 { try write("\u{1b}[\(above)A") }
            self.drawn = nil
        }

        /// Writes to the terminal, and hears meanwhile whether the process is to end: a stopped one takes nothing.
        private func write(_ text: String) throws(Failure) {
            let bytes = Array((isUnicode ? text : Self.plain(text)).utf8)
            var at = 0
            while at < bytes.count {
                var watches = [Watch(Output.standardOutput, output: true), Watch(screen.descriptor, input: true)]
                do {
                    guard try Watch.wait(for: &watches, milliseconds: -1) else { continue }
                    while let event = screen.next() { events.append(event) }
                    if events.contains(.ended) { throw Failure.quietEnd }
                    guard watches[0].isWritable || watches[0].isBroken else { continue }
                    at += try FileBytes.write(bytes[at..<min(at + 1024, bytes.count)], to: Output.standardOutput)
                } catch let error as Errno {
                    if !error.isTryAgain { throw .quietEnd }
                } catch {
                    throw .quietEnd
                }
            }
        }

        private static func plain(_ text: String) -> String {
            text.unicodeScalars.map { $0.isASCII ? String($0) : "\\u{" + String($0.value, radix: 16) + "}" }.joined()
        }
    }
#endif
