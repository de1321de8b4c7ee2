import ChatModel

/// What HISTORY shows: seqs of messages, oldest first.
package struct HistoryPage: Sendable {
    package let conversation: ConversationNumber?
    package let seqs: [Seq]
    package let more: Bool
}

/// One row of CONVS before its preview is looked up.
package struct ConversationOverview: Sendable {
    package let number: ConversationNumber
    /// Nil for an invitation.
    package let role: Role?
    package let unread: UInt64
    /// The newest message that may be shown.
    package let newestMessage: Seq?
    /// The first event that may be shown.
    package let firstVisible: Seq
}

extension State {
    /// Decides HISTORY; times were turned into seqs by the caller.
    package func decideHistory(
        in found: Found,
        _ range: HistoryRange,
        limit: Int,
        by account: AccountNumber
    ) -> HistoryPage {
        guard case .conversation(let number) = found else {
            return HistoryPage(conversation: nil, seqs: [], more: false)
        }
        let conversation = self.conversation(number)
        let index = conversation.messages
        let first = conversation.messageCount(through: conversation.firstVisible(to: account) - 1)
        let (low, high, more) = range.ranks(in: index, first: first, limit: UInt64(limit))
        return HistoryPage(
            conversation: number,
            seqs: (low..<max(low, high)).compactMap { index.seq(ofMessage: $0) },
            more: more
        )
    }

    /// The conversations of `account`, newest activity first, then its invitations. O(n log n) of its conversations.
    package func overview(of number: AccountNumber) -> [ConversationOverview] {
        guard let account = account(number) else { return [] }
        let mine = ([.lobby] + account.conversations).map { conversation($0) }
            .sorted { $0.activity > $1.activity }
            .map { conversation in
                let newest = conversation.newestMessage
                let first = conversation.firstReadable(to: number)
                let visible = newest.map { $0 >= first } ?? false
                return ConversationOverview(
                    number: conversation.number,
                    role: conversation.role(of: number),
                    unread: conversation.unread(by: account),
                    newestMessage: visible ? newest : nil,
                    firstVisible: first
                )
            }
        let invited = account.invitations.map {
            ConversationOverview(number: $0, role: nil, unread: 0, newestMessage: nil, firstVisible: 1)
        }
        return mine + invited
    }

    /// Members after `after` with their roles, eldest first; in the lobby, everybody. Of a public conversation anybody
    /// may see them.
    package func decideMembers(
        _ target: ConversationTarget,
        _ page: Page,
        by account: AccountNumber
    ) throws(Refusal) -> Reply {
        var all: ArraySlice<(AccountNumber, Role)> = []
        var more = false
        switch try findVisible(target, account) {
        case .unopened(let other):
            all = [(account, .member), (other, .member)]
        case .conversation(let number) where number == .lobby:
            let start = page.after.flatMap { handles[NameFolding.key(of: $0)] }
            let (found, rest) = accounts(after: start, limit: page.limit)
            all = ArraySlice(found.map { ($0, conversation(.lobby).role(of: $0) ?? .member) })
            more = rest
        case .conversation(let number):
            let conversation = self.conversation(number)
            var order = conversation.order[...]
            if let after = page.after.flatMap({ handles[NameFolding.key(of: $0)] }),
                let at = order.firstIndex(of: after)
            {
                order = order[(at + 1)...]
            }
            more = order.count > page.limit
            all = ArraySlice(order.prefix(page.limit).map { ($0, conversation.role(of: $0) ?? .member) })
        }
        let rows = all.map { Row("member", [.word("user", handleText($0.0)), .word("role", $0.1.rawValue)]) }
        return .done(rows: rows, [.number("n", rows.count), .flag("more", more)])
    }

    /// LIST: public conversations.
    package func decideList(prefix: String?, _ page: Page) -> Reply {
        func key(_ text: String) -> String {
            NameFolding.key(of: text.utf8.first == 0x23 ? String(decoding: text.utf8.dropFirst(), as: UTF8.self) : text)
        }
        let (found, more) = publicConversations(
            prefix: prefix.map(key) ?? "",
            after: page.after.map(key),
            limit: page.limit
        )
        let rows = found.map { number in
            let conversation = self.conversation(number)
            var fields: [KeyValue] = [.word("conv", conversation.name)]
            if !conversation.isLobby { fields.append(.number("members", conversation.memberCount)) }
            if let topic = conversation.topic { fields.append(.text("title", topic)) }
            return Row("conv", fields)
        }
        return .done(rows: rows, [.number("n", rows.count), .flag("more", more)])
    }
}
