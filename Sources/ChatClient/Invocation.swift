/// A command line of `fcc`, understood.
package struct Invocation: Equatable, Sendable {
    package enum Command: Equatable, Sendable {
        case help
        case version
        /// - Parameter options: `name=`, `display=` and the like.
        case signup(email: String, options: [Request.Option])
        case login(String)
        /// Sign in as a guest.
        case loginAnonymous
        case logout
        case whoami
        case send(conversation: String, content: Content, reply: String?)
        case tail(conversations: [String], start: TailPlan.Start)
        case tailAll(TailPlan.Start)
        /// All conversations when none is named; `muted` are left out.
        case notify(conversations: [String], muted: [String], command: [String])
        case history(conversation: String, last: UInt64)
        case search(conversation: String, words: String, last: UInt64)
        case conversations
        /// What stands in a collection, then what changes.
        case watchItems(collection: String, since: UInt64?)
        /// Each line of standard input as an item.
        case putItems(collection: String)
        /// One request, and the rows of its reply.
        case request(RequestCommand)
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
    package var newPasswordFile: String?
    package var isJSON = false
    package var isQuiet = false
    package var showsNumbers = false

    /// - Parameter arguments: without the program's name.
    /// - Throws: `UsageFault` for what is not understood.
    package init(_ arguments: [String]) throws(UsageFault) {
        let words = try WordList(arguments)
        command = try words.command()
        isJSON = words.has("json")
        isQuiet = words.has("quiet")
        showsNumbers = words.has("numbers")
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
        newPasswordFile = words.values["new-password-file"]
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
