import Bytes
import ChatModel
import Wire

/// Which messages a search is for.
package struct MessageFilter: Sendable {
    package let words: SearchWords
    /// The handles whose messages count, as lines have them; nil for everybody's.
    package let authors: [[UInt8]]?

    package init(words: SearchWords, authors: [[UInt8]]? = nil) { (self.words, self.authors) = (words, authors) }

    /// Whether a timeline's line, given without its LF, is such a message. O(length).
    package func matches(_ line: UnsafeRawBufferPointer, _ scratch: inout Scratch) -> Bool {
        guard let message = MessageLine(line) else { return false }
        if let authors, !message.isBy(authors) { return false }
        scratch.folder.fold(message.text(in: &scratch.unescaped))
        return words.areAll(in: scratch.folder.folded)
    }

    /// Memory that lines are taken apart in, one after the other.
    package struct Scratch: ~Copyable {
        var folder = TextFolder()
        var unescaped = ByteBuffer()
        package init() {}
    }
}
