/// A command line of `fcc`, understood.
package struct Invocation: Equatable, Sendable {
    package enum Command: Equatable, Sendable {
        case help
        case version
        case signup(email: String, name: String?)
        case login(String)
        case logout
        case whoami
        case send(conversation: String, content: Content, reply: String?)
        case tail(conversations: [String], start: TailPlan.Start)
        case tailAll(TailPlan.Start)
        case history(conversation: String, last: UInt64)
        case search(conversation: String, words: String, last: UInt64)
        case conversations
        case raw
        case put(path: String)
        /// `-` as the destination is standard output.
        case get(blob: String, destination: String?)
        /// No command: the interactive chat.
        case chat
    }

    /// What to send.
    package enum Content: Equatable, Sendable {
        case text(String)
        /// Each line of standard input.
        case input
        case place(String, text: String?)
        case file(String, caption: String?)
        /// A file that the server has already.
        case blob(String, caption: String?)
    }

    package let command: Command
    package var server: Endpoint?
    package var profile = "default"
    package var fingerprint: Fingerprint?
    package var passwordFile: String?
    package var isJSON = false
    package var isQuiet = false

    /// - Parameter arguments: without the program's name.
    /// - Throws: `UsageFault` for what is not understood.
    package init(_ arguments: [String]) throws(UsageFault) {
        let words = try WordList(arguments)
        command = try words.command()
        isJSON = words.has("json")
        isQuiet = words.has("quiet")
        if let text = words.values["server"] {
            guard let endpoint = Endpoint(text) else {
                throw UsageFault("--server takes HOST:PORT ([ADDRESS]:PORT for IPv6), not \"\(text)\"")
            }
            server = endpoint
        }
        if let text = words.values["fingerprint"] {
            guard let value = Fingerprint(text) else {
                throw UsageFault("--fingerprint takes the 32 bytes of a SHA-256 in hex, as AB:CD:…")
            }
            fingerprint = value
        }
        if let name = words.values["profile"] {
            guard Self.isProfileName(name) else {
                throw UsageFault("--profile takes a name of 1 to 64 letters, digits, - and _, not \"\(name)\"")
            }
            profile = name
        }
        passwordFile = words.values["password-file"]
    }

    private static func isProfileName(_ name: String) -> Bool {
        (1...64).contains(name.utf8.count)
            && name.utf8.allSatisfy {
                switch $0 {
                case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x5F: true
                default: false
                }
            }
    }
}
