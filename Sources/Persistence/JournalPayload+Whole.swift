extension JournalPayload {
    /// Whether every quote in the payload is one that this program wrote: it opens right behind `=`, and it is closed.
    ///
    /// A record that somebody shaped inside a text is not whole: the text's own closing quote is in it, the opening one is
    /// not, and a quote inside a text has a backslash in front. O(n).
    package static func isWhole(_ payload: UnsafeRawBufferPointer) -> Bool {
        guard payload.count > 2, payload[0] == 0x45 || payload[0] == 0x4C, payload[1] == 0x20 else { return false }
        return areQuotesWhole(payload, from: 2)
    }

    static func areQuotesWhole(_ bytes: UnsafeRawBufferPointer, from start: Int) -> Bool {
        var at = start
        var isInside = false
        while at < bytes.count {
            switch bytes[at] {
            case 0x5C where isInside: at += 1
            case 0x5C: return false
            case 0x22 where isInside: isInside = false
            case 0x22:
                guard bytes[at - 1] == 0x3D else { return false }
                isInside = true
            default: break
            }
            at += 1
        }
        return !isInside && at == bytes.count
    }
}
