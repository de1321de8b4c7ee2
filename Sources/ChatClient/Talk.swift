import Wire

/// The chat on a terminal as a pure model: server lines and typed lines go in, lines for the screen and requests come
/// out. Nothing it hands out to be shown can drive a terminal.
package struct Talk {
    /// What the program is to do.
    package enum Effect: Equatable {
        /// Show this above the line being typed.
        case show(String)
        /// Make this request, and bring the reply with its purpose to `answered`.
        case ask(Request, Purpose)
        /// Send a file to this conversation, and tell `uploaded` how that went.
        case upload(path: String, conversation: String, caption: String?)
        /// The terminal's bell: somebody wrote where the person does not look.
        case ring
        /// This connection is of no use; connect again, after so many seconds at the earliest.
        case reconnect(seconds: UInt64?)
        /// The person wants to go.
        case quit
    }

    /// What a request was made for.
    package enum Purpose: Equatable, Sendable {
        case follow
        case list
        case send(UInt64)
        /// Messages of a conversation: the newest at its opening, or older ones on request.
        case opening(String)
        case older(String)
        case members
        case who
        /// To go there when it is done.
        case enter(String)
        case leave(String)
        /// To say this when it is done.
        case said(String)
        /// Its event tells that it is done.
        case done
        /// Neither success nor refusal concerns the person.
        case silent
    }

    /// Messages shown when a conversation is opened.
    static let opening: UInt64 = 15
    static let lobby = "#lobby"

    /// Who is signed in.
    package internal(set) var user = ""
    var formatter: MessageFormatter
    var plan = TailPlan(allFrom: .now)
    var conversations: [Conversation] = []
    /// The key of the conversation that typed text goes to.
    var current = key(of: lobby)
    var isConnected = false
    /// Whether messages elsewhere ring.
    var hasBell = true
    /// What others are told while one is away.
    var away: String?
    /// The list of conversations as it comes in; nil once it is complete.
    var lister: ListPager?
    /// Whether the list was complete once: from then on unread messages are counted here.
    var isListed = false
    /// Events that wait until the opening of the chat has been shown.
    var held: [ServerLine]?
    var sending = SendQueue()

    /// - Parameters:
    ///   - formatter: for messages of the conversation in view; it names no conversation.
    ///   - noncePrefix: random, at most 40 bytes, another for every run of the program.
    package init(formatter: MessageFormatter, noncePrefix: String) {
        self.formatter = formatter
        sending = SendQueue(noncePrefix: noncePrefix)
    }

    /// One of my conversations.
    struct Conversation: Equatable {
        /// As the server spells it.
        var name: String
        var unread: UInt64 = 0
        var isInvitation = false
        /// The oldest message shown, from which older ones are asked for.
        var oldest: UInt64?
        /// The newest message that was shown, the newest of one's own of these, and the newest that was only counted.
        var newest: UInt64?
        var newestOwn: UInt64?
        var newestCounted: UInt64?
        /// A message of others that was shown, up to which all is read, before the server has been told.
        var unmarked: UInt64?
        /// Whether something in it was unread when it came into view.
        var wasUnread = false
        /// Whether it neither rings nor is told of.
        var isMuted = false
    }

    /// Names are found without regard to case.
    static func key(of name: String) -> String { name.lowercased() }

    /// Messages of the person that the server has not answered yet.
    package var unansweredCount: Int { sending.count }

    /// What stands before the line being typed; visible text.
    package var prompt: String {
        var text = "[" + shown(title(of: conversations.first { Self.key(of: $0.name) == current }?.name ?? current))
        let unread = conversations.filter { Self.key(of: $0.name) != current }.reduce(0) { $0 &+ $1.unread }
        if unread > 0 { text += " (\(unread))" }
        if !isConnected { text += " offline" }
        return text + "] "
    }

    /// A 1:1 is called after the other one.
    func title(of name: String) -> String { Peer.title(of: name, for: user) }

    func shown(_ text: String) -> String {
        let visible = VisibleText.line(text)
        return formatter.isolates ? VisibleText.isolated(visible) : visible
    }

    func index(of name: String) -> Int? {
        let wanted = Self.key(of: name)
        return conversations.firstIndex {
            Self.key(of: $0.name) == wanted || Self.key(of: title(of: $0.name)) == wanted
        }
    }

    /// The conversation of this name, which is mine from now on.
    @discardableResult
    mutating func open(_ name: String) -> Int {
        if let at = index(of: name) { return at }
        conversations.append(Conversation(name: name))
        return conversations.count - 1
    }

    /// The name for requests to the conversation in view.
    var currentName: String { index(of: current).map { conversations[$0].name } ?? current }

    func request(
        _ verb: String,
        _ options: [Request.Option],
        _ arguments: [String],
        rest: String? = nil,
        for purpose: Purpose
    ) -> [Effect] {
        guard isConnected else { return [.show("! not connected; try again in a moment")] }
        do {
            return [.ask(try Request(verb, options: options, arguments: arguments, rest: rest), purpose)]
        } catch {
            return [.show("! \(Self.text(of: error))")]
        }
    }

    static func text(of fault: Request.Fault) -> String {
        switch fault {
        case .argument(let text): "\"\(VisibleText.line(text))\" must be one word, without blanks, controls or key="
        }
    }
}
