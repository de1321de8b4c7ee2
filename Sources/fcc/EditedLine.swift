#if canImport(CEdit)
    import CEdit
    import Glibc

    /// The line being typed, and those typed before: libedit without its screen. Confined to the main thread; one a process.
    final class EditedLine {
        /// Lines remembered.
        private static let historySize: Int32 = 500

        /// What libedit is to read next. Unsafe only in name: it is touched by `feed` and, below it on the same stack, by
        /// libedit asking for a character; both happen on the main thread alone.
        nonisolated(unsafe) private static var coming: ArraySlice<Unicode.Scalar> = []

        private let editor: OpaquePointer
        private let history: OpaquePointer

        /// Takes the terminal `descriptor` into raw mode.
        /// - Throws: `Failure` when libedit cannot have it.
        init(_ descriptor: Int32) throws(Failure) {
            // The editor asks the locale which characters are letters; the C.UTF-8 of glibc is always there.
            setlocale(LC_CTYPE, "C.UTF-8")
            guard let nowhere = fopen("/dev/null", "w"), let input = fdopen(descriptor, "r"),
                let editor = fc_edit_open(input, nowhere, descriptor, Self.next),
                let history = fc_edit_history(editor, Self.historySize)
            else { throw Failure(.usage, "the line editor cannot work on this terminal") }
            (self.editor, self.history) = (editor, history)
            fc_edit_raw(editor, 1)
        }

        private static let next: fc_edit_next = { _, room in
            guard let room, let scalar = coming.popFirst() else { return 0 }
            room.pointee = wchar_t(scalar.value)
            return 1
        }

        /// The line as it stands.
        var scalars: [Unicode.Scalar] {
            guard let info = el_wline(editor)?.pointee, let begin = info.buffer, let end = info.lastchar else {
                return []
            }
            return UnsafeBufferPointer(start: begin, count: max(0, end - begin)).map {
                Unicode.Scalar(UInt32(bitPattern: $0)) ?? "\u{FFFD}"
            }
        }

        /// Scalars before the cursor.
        var cursor: Int {
            guard let info = el_wline(editor)?.pointee, let begin = info.buffer, let cursor = info.cursor else {
                return 0
            }
            return max(0, cursor - begin)
        }

        /// Carries out keys.
        func feed(_ keys: [Unicode.Scalar]) {
            Self.coming = keys[...]
            while let key = Self.coming.first {
                // Behind the last character it would be the end of input, or a list of file names.
                if key == "\u{04}", cursor >= scalars.count {
                    Self.coming.removeFirst()
                    continue
                }
                var count: Int32 = 0
                let before = Self.coming.count
                _ = el_wgets(editor, &count)
                if Self.coming.count == before { break }
            }
        }

        /// Puts text in at the cursor, whatever characters it has.
        func insert(_ text: [Unicode.Scalar]) {
            let isPut = Self.wide(text.filter { $0.value != 0 }).withUnsafeBufferPointer {
                el_winsertstr(editor, $0.baseAddress)
            }
            // -1: no room left; the person sees that it is not there.
            _ = isPut
        }

        /// The line, which is remembered; an empty one begins.
        func take() -> [Unicode.Scalar] {
            let line = scalars
            if !line.isEmpty { Self.wide(line).withUnsafeBufferPointer { fc_edit_remember(history, $0.baseAddress) } }
            clear()
            return line
        }

        /// With the zero at its end that C wants.
        private static func wide(_ text: [Unicode.Scalar]) -> [wchar_t] { text.map { wchar_t($0.value) } + [0] }

        /// An empty line begins.
        func clear() {
            fc_edit_raw(editor, 0)
            fc_edit_raw(editor, 1)
        }

        /// Lets go of the terminal while `body` runs; the line stays.
        func apart(_ body: () -> Void) {
            let (line, behind) = (scalars, scalars.count - cursor)
            fc_edit_raw(editor, 0)
            body()
            fc_edit_raw(editor, 1)
            insert(line)
            feed(Array(repeating: "\u{02}", count: behind))
        }
    }
#endif
