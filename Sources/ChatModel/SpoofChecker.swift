import CICU

/// What ICU knows of characters that look alike and of scripts that mix (Unicode UTS 39; Debian's libicu-dev).
enum SpoofChecker {
    /// Opened when the first name beyond ASCII is checked, which takes some milliseconds and 3 MB: a program that makes no such
    /// names does without.
    ///
    /// Safe to share: Swift runs this once, whatever the thread; nothing is set afterwards, and every use takes the checker
    /// as const, which ICU allows on any number of threads at once (uspoof.h, Thread Safety).
    private nonisolated(unsafe) static let loaded: OpaquePointer? = fc_spoof_open()

    /// Whether ICU and its data are there; loads them. What is new is refused without, and nothing else is asked.
    static var isReady: Bool { loaded != nil }

    private static var shared: OpaquePointer {
        guard let loaded else {
            preconditionFailure("ICU is missing, or is installed without its data of characters that look alike")
        }
        return loaded
    }

    /// The skeleton of UTS 39, section 4 (not of its bidirectional kind): in place of each character the one that stands for
    /// all that look like it (Cyrillic `а` is `a`, `0` is `O`, `m` is `rn`), in NFD. Case counts. O(n), a microsecond for a name.
    static func skeleton(of text: String) -> String {
        withCharacters(of: text) { skeleton(of: $0, capacity: 256) }
    }

    /// Whether the scripts of `text` do not belong together by the level "moderately restrictive" of UTS 39, section 5.2:
    /// all of one script pass, the usual mixtures of Chinese, Japanese and Korean, and Latin with one other script but
    /// Cyrillic, Greek and Cherokee. Digits, punctuation and emoji are of no script. O(n).
    static func mixesScripts(_ text: String) -> Bool {
        withCharacters(of: text) { fc_spoof_fits(shared, $0.baseAddress, Int32(clamping: $0.count)) == 0 }
    }

    private static func skeleton(of text: UnsafeBufferPointer<CChar>, capacity: Int) -> String {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: capacity) { out in
            let (length, room) = (Int32(clamping: text.count), Int32(clamping: out.count))
            let count = Int(fc_spoof_skeleton(shared, text.baseAddress, length, out.baseAddress, room))
            precondition(count >= 0, "every text has a skeleton")
            if count > out.count { return skeleton(of: text, capacity: count) }
            return out[..<count].withMemoryRebound(to: UInt8.self) { String(decoding: $0, as: UTF8.self) }
        }
    }

    private static func withCharacters<R>(of text: String, _ body: (UnsafeBufferPointer<CChar>) -> R) -> R {
        var copy = text
        return copy.withUTF8 { bytes in bytes.withMemoryRebound(to: CChar.self, body) }
    }
}
