/// A request of the client, and how it reads on the wire (protocol.md, Lines).
///
/// What came from a person is checked here, so that nothing of it can become a second line or another option.
package struct Request: Equatable, Sendable {
    /// Why words of a person make no request.
    package enum Fault: Error, Equatable {
        /// An argument is empty, or holds a blank, a control character or what reads as an option.
        case argument(String)
    }

    package let verb: String
    package internal(set) var options: [Option]
    package let arguments: [String]
    /// The text, to the end of the line; sent as `text=` when it holds what a line cannot.
    package let rest: String?

    /// `key=value`; the value is quoted when it must be.
    package struct Option: Equatable, Sendable {
        package let key: String
        package let value: String
        package init(_ key: String, _ value: String) { (self.key, self.value) = (key, value) }
    }

    /// - Throws: `Fault.argument` for an argument that would not stay one word.
    package init(
        _ verb: String,
        options: [Option] = [],
        arguments: [String] = [],
        rest: String? = nil
    ) throws(Fault) {
        for argument in arguments where !Self.isWord(argument) { throw .argument(argument) }
        (self.verb, self.options, self.arguments, self.rest) = (verb, options, arguments, rest)
    }

    /// A request of fixed words, which need no check.
    package init(fixed verb: StaticString, options: [Option] = []) {
        (self.verb, self.options, self.arguments, self.rest) = ("\(verb)", options, [], nil)
    }

    /// The same request with one more option.
    package func adding(_ option: Option) -> Request {
        var more = self
        more.options.append(option)
        return more
    }

    /// The line with its LF, led by `tag` when there is one.
    package func line(tag: String? = nil) -> String {
        var options = options
        var tail = ""
        if let rest {
            if rest.unicodeScalars.contains(where: Self.needsQuotes) || rest.isEmpty {
                options.append(Option("text", rest))
            } else {
                tail = " " + rest
            }
        }
        var out = tag.map { "@\($0) " } ?? ""
        out += verb
        for option in options { out += " \(option.key)=\(Self.value(option))" }
        for argument in arguments { out += " " + argument }
        return out + tail + "\n"
    }

    private static func value(_ option: Option) -> String {
        let plain = option.key != "text" && isWord(option.value, option: true)
        return plain ? option.value : JSONText.quoted(option.value)
    }

    /// Controls other than TAB, and separators, cannot stand in the rest of a line.
    private static func needsQuotes(_ scalar: Unicode.Scalar) -> Bool {
        scalar != "\t" && (scalar.value < 0x20 || scalar.value == 0x7F)
    }

    /// Whether `text` is one word on the wire; as an argument it must not read as `key=value` either.
    private static func isWord(_ text: String, option: Bool = false) -> Bool {
        let scalars = text.unicodeScalars
        if scalars.isEmpty || scalars.contains(where: { $0.properties.isWhitespace || JSONText.isEscaped($0) }) {
            return false
        }
        if option { return !scalars.contains { $0 == "\"" || $0 == "\\" } }
        guard let equals = scalars.firstIndex(of: "=") else { return true }
        return !scalars[..<equals].allSatisfy { ("a"..."z").contains($0) || ("0"..."9").contains($0) || $0 == "-" }
    }
}
