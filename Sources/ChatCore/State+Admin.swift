import ChatModel

/// What the operator sees (protocol.md, The operator). O(accounts) or O(conversations).
extension State {
    /// Accounts whose handle begins with `prefix`, in the order of their making.
    package func adminUsers(prefix: String?, _ page: Page) -> Reply {
        let key = prefix.map { NameFolding.key(of: $0) } ?? ""
        let start = page.after.flatMap { handles[NameFolding.key(of: $0)] }.map { Int($0.raw) } ?? 0
        var rows: [Row] = []
        var more = false
        for case let account? in accountSlots[min(start, accountSlots.count)...] {
            guard account.handle.key.utf8.starts(with: key.utf8) else { continue }
            if rows.count == page.limit {
                more = true
                break
            }
            rows.append(Row("user", fields(of: account)))
        }
        return .done(rows: rows, [.number("n", rows.count), .flag("more", more)])
    }

    private func fields(of account: Account) -> [KeyValue] {
        var fields: [KeyValue] = [.word("user", account.handle.text), .word("display", account.display)]
        if let email = account.email {
            fields += [.word("email", email.text), .flag("verified", account.isVerified)]
        }
        fields += [
            .flag("guest", account.isGuest), .flag("disabled", account.isDisabled),
            .flag("reset", account.mustChangePassword), .number("sessions", account.sessions.count),
            .time("created", account.created),
        ]
        return fields
    }

    /// All conversations, in the order of their making.
    package func adminConversations(_ page: Page) -> Reply {
        let start = page.after.flatMap { name in conversations.first { $0.name == name } }.map { Int($0.number.raw) }
        let live = conversations[(start ?? 0)...].lazy.filter { !$0.isDropped }
        let found = Array(live.prefix(page.limit + 1))
        let rows = found.prefix(page.limit).map { conversation in
            var fields: [KeyValue] = [
                .word("conv", conversation.name), .flag("private", conversation.isPrivate),
                .number("last-seq", conversation.lastSeq), .time("last-ts", conversation.lastTime),
                .number("messages", conversation.keptMessages),
            ]
            fields += retentionFields(of: conversation)
            if !conversation.isLobby { fields.append(.number("members", conversation.memberCount)) }
            if let owner = conversation.order.first(where: { conversation.role(of: $0) == .owner }) {
                fields.append(.word("owner", handleText(owner)))
            }
            return Row("conv", fields)
        }
        return .done(rows: rows, [.number("n", rows.count), .flag("more", found.count > page.limit)])
    }

    /// Addresses that may not connect, in the order of their ban. O(bans).
    package func adminAddressBans(_ page: Page) -> Reply {
        let start = page.after.flatMap { bannedAddresses.firstIndex(of: $0) }.map { $0 + 1 } ?? 0
        let rows = bannedAddresses[start...].prefix(page.limit).map { Row("ban", [.word("prefix", $0)]) }
        return .done(
            rows: rows,
            [.number("n", rows.count), .flag("more", start + rows.count < bannedAddresses.count)]
        )
    }

    /// Accounts and guests. O(accounts).
    package var accountCounts: (accounts: Int, guests: Int) {
        accountSlots.reduce(into: (accounts: 0, guests: 0)) { counts, account in
            guard let account else { return }
            if account.isGuest { counts.guests += 1 } else { counts.accounts += 1 }
        }
    }
}
