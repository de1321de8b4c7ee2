/// What a signed-in or anonymous connection asks for, already free of syntax (protocol.md, Verbs).
package enum Command: Sendable {
    case own(OwnReply)
    case limits
    case bye
    case signUp(SignUp)
    case signIn(SignIn)
    case signOut(all: Bool)
    case whoAmI
    case create(Create)
    case join(ConversationTarget)
    case leave(ConversationTarget)
    case invite(ConversationTarget, user: String)
    case moderate(Moderation)
    /// TOPIC: the new title.
    case setTopic(ConversationTarget, String)
    case drop(ConversationTarget)
    case conversations(Page)
    case list(prefix: String?, Page)
    case members(ConversationTarget, Page)
    case send(Send)
    case edit(Edit)
    case delete(ConversationTarget, Seq)
    case react(ConversationTarget, Reaction)
    /// SEEN: everything up to this was read.
    case seen(ConversationTarget, Seq)
    case typing(ConversationTarget)
    /// AWAY: what others are told; nil is back again.
    case away(String?)
    case who(ConversationTarget, Page)
    case history(History)
    case search(Search)
    case subscribe(Subscribe)
    case subscribeAll(since: Timestamp?)
    case unsubscribe(ConversationTarget)
    case unsubscribeAll
    case subscriptions
    /// From the control socket only.
    case admin(AdminRequest)
    /// What an account does with itself.
    case account(AccountCommand)
    /// The bytes follow the line; the front end takes them once the engine lets it.
    case putBlob(PutBlob)
    case blob(BlobID, LinkWish)
    case blobs(Page)
    case deleteBlob(BlobID)
    case putItem(PutItem)
    case item(CollectionTarget, id: String)
    case items(ItemQuery)
    case deleteItem(DeleteItem)
    /// SUB of a collection: behind a seq, or all of it.
    case subscribeItems(CollectionTarget, since: Seq?)
    case unsubscribeItems(CollectionTarget)
}

/// The conversation a request names.
package enum ConversationTarget: Hashable, Sendable {
    /// `#name`, by its folded key, without the `#`.
    case named(String)
    /// `@user`, by the folded key of the handle.
    case direct(String)
    /// `@a,b`: the canonical name of a 1:1, both keys folded, in the order given.
    case pair(String, String)
}

package struct SignUp: Sendable {
    package let name: String?
    package let display: String?
    package let phone: String?
    /// Hash of the operator's code.
    package let invite: TokenHash?
    package let email: String
    package let password: Secret
    package init(name: String?, display: String?, phone: String?, invite: TokenHash?, email: String, password: Secret) {
        (self.name, self.display, self.phone, self.invite) = (name, display, phone, invite)
        (self.email, self.password) = (email, password)
    }
}

package enum SignIn: Sendable {
    /// A handle or an e-mail address (it has an `@`), and the password as typed.
    case password(who: String, Secret)
    /// The hash that is looked up, and the token, which the reply repeats.
    case token(TokenHash, Secret)
    case anonymous
}

/// A password on its way to the hash; its description never shows it.
package struct Secret: Sendable, CustomStringConvertible, CustomReflectable {
    package let bytes: [UInt8]
    package init(_ bytes: [UInt8]) { self.bytes = bytes }
    package var description: String { "(secret)" }
    package var customMirror: Mirror { Mirror(self, children: []) }
}

/// EJECT, BAN, UNBAN, MUTE, UNMUTE and GRANT: what an op does to somebody.
package struct Moderation: Sendable {
    package enum Act: Sendable, Equatable {
        case eject(reason: String?)
        case ban(reason: String?)
        case unban
        /// Seconds; nil is until UNMUTE.
        case mute(seconds: Int64?)
        case unmute
        case grant(Role)
    }
    package let target: ConversationTarget
    package let user: String
    package let act: Act
    package init(target: ConversationTarget, user: String, act: Act) {
        (self.target, self.user, self.act) = (target, user, act)
    }
}

/// A text on its way into a line: in the batch's arena, with what the core must know of it.
package struct TextRange: Sendable {
    package let range: ArenaRange
    /// Unicode scalars.
    package let scalarCount: Int
    /// Whether it has nothing but White_Space.
    package let isBlank: Bool
    package init(range: ArenaRange, scalarCount: Int, isBlank: Bool) {
        (self.range, self.scalarCount, self.isBlank) = (range, scalarCount, isBlank)
    }
}

/// EDIT: another text for a message.
package struct Edit: Sendable {
    package let target: ConversationTarget
    package let message: Seq
    /// Nil when there is none.
    package let text: TextRange?
    package init(target: ConversationTarget, message: Seq, text: TextRange?) {
        (self.target, self.message, self.text) = (target, message, text)
    }
}

package struct Create: Sendable {
    /// As written, without the `#`.
    package let name: String
    package let isPrivate: Bool
    package let title: String?
    package init(name: String, isPrivate: Bool, title: String?) {
        (self.name, self.isPrivate, self.title) = (name, isPrivate, title)
    }
}

/// `[after=] [limit=]` of the lists.
package struct Page: Sendable {
    package let after: String?
    /// 1 … 200
    package let limit: Int
    package init(after: String?, limit: Int) { (self.after, self.limit) = (after, limit) }
}

package struct Send: Sendable {
    package let target: ConversationTarget
    /// The text, unescaped, in the batch's arena; nil when there is none.
    package let text: ArenaRange?
    /// Unicode scalars of the text.
    package let scalarCount: Int
    /// Whether the text has nothing but White_Space.
    package let isBlank: Bool
    /// Keyed hash of `nonce=`.
    package let nonce: UInt64?
    package let reply: Seq?
    package let geo: Location?
    /// `x-…`
    package let kind: String?
    package let blob: BlobID?
    package init(
        target: ConversationTarget,
        text: ArenaRange?,
        scalarCount: Int,
        isBlank: Bool,
        nonce: UInt64?,
        reply: Seq?,
        geo: Location?,
        kind: String?,
        blob: BlobID? = nil
    ) {
        (self.target, self.text, self.scalarCount, self.isBlank) = (target, text, scalarCount, isBlank)
        (self.nonce, self.reply, self.geo, self.kind) = (nonce, reply, geo, kind)
        self.blob = blob
    }

    /// The text, when there is nothing else to carry.
    package var textAlone: ArenaRange? { geo == nil && kind == nil && blob == nil ? text : nil }
}

/// A place on earth as the sender wrote it: two decimal degrees, range-checked by the parser, digits kept.
package struct Location: Hashable, Sendable {
    package let latitude: String
    package let longitude: String
    package init(latitude: String, longitude: String) { (self.latitude, self.longitude) = (latitude, longitude) }
    package var text: String { latitude + "," + longitude }
}

package struct History: Sendable {
    package enum Position: Sendable {
        case seq(Seq)
        case time(Timestamp)
    }
    package enum Direction: Sendable {
        /// The newest ones.
        case newest
        case before(Position)
        case after(Position)
        case around(Position)
    }
    package let target: ConversationTarget
    package let direction: Direction
    /// 1 … 200
    package let limit: Int
    package init(target: ConversationTarget, direction: Direction, limit: Int) {
        (self.target, self.direction, self.limit) = (target, direction, limit)
    }
}

package struct Subscribe: Sendable {
    package enum Start: Sendable {
        case now
        /// Events with a greater seq.
        case since(Seq)
        /// The last so many events.
        case last(UInt64)
    }
    package let target: ConversationTarget
    package let start: Start
    package init(target: ConversationTarget, start: Start) { (self.target, self.start) = (target, start) }
}
