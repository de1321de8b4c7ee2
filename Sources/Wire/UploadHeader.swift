/// Looks at a line that may be a PUT-BLOB and may be wrong: what follows it are bytes of a file, not requests.
enum UploadHeader {
    /// What a wrong line says of the bytes behind it.
    enum Size {
        /// It is no PUT-BLOB.
        case none
        /// So many bytes follow.
        case known(UInt64)
        case unknown
    }

    /// Reads `size=` of a line, which need not be sound. O(n).
    static func size(in line: UnsafeRawBufferPointer) -> Size {
        guard var words = afterVerb(line) else { return .none }
        var size: UInt64?
        while true {
            words.skipBlanks()
            guard let key = words.optionKey() else { return size.map { .known($0) } ?? .unknown }
            words.at += key.count + 1
            let start = words.at
            if start < line.count, line[start] == 0x22 {
                guard let close = JSONString.end(in: line, from: start + 1) else { return .unknown }
                words.at = close.offset + 1
            }
            while words.at < line.count, line[words.at] != 0x20 { words.at += 1 }
            guard key.elementsEqual("size".utf8) else { continue }
            guard size == nil, let value = Number.parse(UnsafeRawBufferPointer(rebasing: line[start..<words.at])) else {
                return .unknown
            }
            size = value
        }
    }

    /// Whether a line, perhaps only its beginning, is a PUT-BLOB.
    static func begins(_ line: UnsafeRawBufferPointer) -> Bool { afterVerb(line) != nil }

    /// Behind tag and verb; nil when the verb is another one.
    private static func afterVerb(_ line: UnsafeRawBufferPointer) -> WordScanner? {
        var words = WordScanner(line)
        words.skipBlanks()
        if words.at < line.count, line[words.at] == 0x40 {
            while words.at < line.count, line[words.at] != 0x20 { words.at += 1 }
            words.skipBlanks()
        }
        let start = words.at
        while words.at < line.count, line[words.at] != 0x20 { words.at += 1 }
        guard Verb(UnsafeRawBufferPointer(rebasing: line[start..<words.at])) == .putBlob else { return nil }
        return words
    }
}
