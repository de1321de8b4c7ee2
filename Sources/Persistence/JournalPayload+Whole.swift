extension JournalPayload {
    /// Whether every quote in the payload is one that this program wrote: it opens right behind `=`, and it is closed.
    ///
    /// A record that somebody shaped inside a text is not whole: the text's own closing quote is in it, the opening one is
    /// not, and a quote inside a text has a backslash in front. O(n).
    package static func isWhole(_ payload: UnsafeRawBufferPointer) -> Bool {
        guard payload.count > 2, payload[1] == 0x20 else { return false }
        switch payload[0] {
        case 0x45, 0x4C: return areQuotesWhole(payload, from: 2)
        case 0x49: return areQuotesWhole(payload, from: 2, inObjects: true)
        default: return false
        }
    }

    /// - Parameter inObjects: quotes may open behind `{`, `,` and `:` too, as in an item's object. No name in one ends with
    ///   any of these: seen from inside a text, a name's closing quote would open a string, and does not.
    static func areQuotesWhole(
        _ bytes: UnsafeRawBufferPointer,
        from start: Int,
        inObjects: Bool = false
    ) -> Bool {
        var at = start
        var isInside = false
        while at < bytes.count {
            switch bytes[at] {
            case 0x5C where isInside: at += 1
            case 0x5C: return false
            case 0x22 where isInside: isInside = false
            case 0x22:
                let opener = bytes[at - 1]
                let isInObject = inObjects && (opener == 0x7B || opener == 0x2C || opener == 0x3A)
                guard opener == 0x3D || isInObject else { return false }
                isInside = true
            default: break
            }
            at += 1
        }
        return !isInside && at == bytes.count
    }
}
