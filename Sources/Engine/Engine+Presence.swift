import ChatCore
import ChatModel

/// Who is there, and what is told of it. Nothing of this is written down.
struct Presence: Equatable {
    enum State: String { case online, away, offline }
    var state = State.offline
    /// What AWAY says.
    var text: String?
}

/// Who waits to be told what of whom (`Engine.stepNews`).
struct News {
    /// Accounts that may have gone since the last tick.
    var changed: Set<AccountNumber> = []
    /// What was told of an account last; nobody there is offline.
    var told: [AccountNumber: Presence] = [:]
    /// Texts of AWAY.
    var away: [AccountNumber: String] = [:]
    /// Notices that are due, in order: the account, and whether it is its profile.
    var due = ContiguousArray<(account: AccountNumber, isProfile: Bool)>()
    /// When somebody was last said to be typing somewhere.
    var typing: [DirtyMarker: MonotonicTime] = [:]
}

/// AWAY, TYPING, WHO, and the notices of presence and profiles (protocol.md, Presence).
extension Engine {
    /// Members up to which a conversation's others hear of presence, profiles and typing.
    static let presenceAudience = 200
    /// Notices that are handed out in one step.
    private static let newsStep = 2000
    private static let typingInterval: Int64 = 3000

    func presence(of account: AccountNumber) -> Presence {
        guard connectionsOf[account] != nil else { return Presence() }
        guard let text = news.away[account] else { return Presence(state: .online) }
        return Presence(state: .away, text: text.isEmpty ? nil : text)
    }

    /// An account may be there now, or not any more: that somebody is gone is told at the next tick, if it is still so, so
    /// that nobody hears of a connection that is made anew.
    func notePresence(of account: AccountNumber) {
        if connectionsOf[account] == nil {
            news.away[account] = nil
            news.changed.insert(account)
        } else if presence(of: account) != news.told[account, default: Presence()] {
            news.due.append((account, false))
        }
    }

    func noteProfileChange(of account: AccountNumber) { news.due.append((account, true)) }

    /// An account is about to go for good, and to leave everything: those who heard that it is there hear that it is not.
    func noteLeaving(_ account: AccountNumber) {
        news.away[account] = nil
        guard news.told.removeValue(forKey: account) != nil else { return }
        let offline = KeyValue.word("state", Presence.State.offline.rawValue)
        let fields = [KeyValue.word("user", content.state.handleText(account)), offline]
        _ = tellOthers(of: account, Notice(key: .presence(account), kind: "presence", fields: fields))
    }

    func away(_ text: String?, by account: AccountNumber) throws(Refusal) -> Reply {
        if let text {
            news.away[account] = text.isEmpty ? "" : try content.state.checkNote(text, "text")
        } else {
            news.away[account] = nil
        }
        notePresence(of: account)
        return .done([.word("state", presence(of: account).state.rawValue)])
    }

    /// Once a second: whoever has gone since is told of.
    func noteTickForNews() {
        for account in news.changed.sorted() where presence(of: account) != news.told[account, default: Presence()] {
            news.due.append((account, false))
        }
        news.changed.removeAll(keepingCapacity: news.changed.count < 4096)
        if !news.typing.isEmpty {
            let old = monotonic.adding(milliseconds: -Self.typingInterval)
            news.typing = news.typing.filter { $0.value > old }
        }
    }

    /// Hands out some of the notices that are due.
    func stepNews() {
        var (count, done) = (0, 0)
        while done < news.due.count, count < Self.newsStep {
            let (account, isProfile) = news.due[done]
            count += 1 + (isProfile ? tellProfile(of: account) : tellPresence(of: account))
            done += 1
        }
        news.due.removeFirst(done)
    }

    private func tellPresence(of account: AccountNumber) -> Int {
        let presence = presence(of: account)
        if presence == news.told[account, default: Presence()] { return 0 }
        news.told[account] = presence.state == .offline ? nil : presence
        var fields: [KeyValue] = [
            .word("user", content.state.handleText(account)), .word("state", presence.state.rawValue),
        ]
        if let text = presence.text { fields.append(.text("text", text)) }
        return tellOthers(of: account, Notice(key: .presence(account), kind: "presence", fields: fields))
    }

    private func tellProfile(of account: AccountNumber) -> Int {
        guard let found = content.state.account(account) else { return 0 }
        let notice = Notice(key: .profile(account), kind: "profile", fields: content.state.publicFields(of: found))
        for key in connectionsOf[account, default: []] { hold(.notice(key, notice), for: key) }
        return tellOthers(of: account, notice)
    }

    /// - Returns: how many notices that were.
    private func tellOthers(of account: AccountNumber, _ notice: Notice) -> Int {
        var count = 0
        for other in acquaintances(of: account) where !content.state.isBlocked(account, other) {
            for key in connectionsOf[other, default: []] {
                hold(.notice(key, notice), for: key)
                count += 1
            }
        }
        return count
    }

    /// Who shares a 1:1 or a small conversation with an account. O(members of those).
    private func acquaintances(of number: AccountNumber) -> [AccountNumber] {
        var others: Set<AccountNumber> = []
        for conversation in [.lobby] + (content.state.account(number)?.conversations ?? []) {
            others.formUnion(audience(in: conversation, atMost: Self.presenceAudience))
        }
        others.remove(number)
        return others.sorted()
    }

    /// The members of a conversation who are connected, in order; nobody where there are more members than `limit`.
    func audience(in number: ConversationNumber, atMost limit: Int) -> [AccountNumber] {
        let conversation = content.state.conversation(number)
        if conversation.isLobby {
            return content.state.hasAccounts(atMost: limit) ? connectionsOf.keys.sorted() : []
        }
        if conversation.memberCount > limit { return [] }
        return conversation.order.filter { connectionsOf[$0] != nil }
    }

    func typing(_ target: ConversationTarget, by account: AccountNumber) throws(Refusal) -> Reply {
        let state = content.state
        guard case .conversation(let number) = try state.findAsMember(target, account) else { return .done([]) }
        let conversation = state.conversation(number)
        guard Access.message(.create, state.asker(account, in: conversation)) else {
            throw .denied("you may read here, not write")
        }
        let key = DirtyMarker(account: account, conversation: number)
        if let last = news.typing[key], monotonic.since(last) < Self.typingInterval { return .done([]) }
        news.typing[key] = monotonic
        let notice = Notice(
            key: .typing(number, account),
            kind: "typing",
            fields: [.word("conv", conversation.name), .word("by", state.handleText(account))]
        )
        for member in audience(in: number, atMost: Self.presenceAudience)
        where member != account && !state.isBlocked(member, account) {
            for other in connectionsOf[member, default: []]
            where connection(other).subscriptions.contains(number) { hold(.notice(other, notice), for: other) }
        }
        return .done([])
    }

    /// WHO: the members who are there, in the order of MEMBERS.
    func who(_ target: ConversationTarget, _ page: Page, by account: AccountNumber) throws(Refusal) -> Reply {
        let state = content.state
        let members: [AccountNumber]
        switch try state.findAsMember(target, account) {
        case .unopened(let other): members = [account, other]
        case .conversation(.lobby): members = connectionsOf.keys.sorted()
        case .conversation(let number): members = state.conversation(number).order
        }
        var present = members.filter { connectionsOf[$0] != nil && !($0 != account && state.isBlocked($0, account)) }[
            ...
        ]
        if let after = page.after.flatMap({ state.account(handleKey: NameFolding.key(of: $0)) }),
            let at = present.firstIndex(of: after)
        {
            present = present[(at + 1)...]
        }
        let rows = present.prefix(page.limit).map { member in
            let presence = presence(of: member)
            var fields: [KeyValue] = [
                .word("user", state.handleText(member)), .word("state", presence.state.rawValue),
            ]
            if let text = presence.text { fields.append(.text("text", text)) }
            return Row("who", fields)
        }
        return .done(rows: rows, [.number("n", rows.count), .flag("more", present.count > page.limit)])
    }
}
