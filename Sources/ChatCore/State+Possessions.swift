import ChatModel

/// SESSIONS, TOKEN, TOKENS, TOKEN-DEL, BLOCK and LINK: what belongs to an account (protocol.md, Accounts).
extension State {
    /// - Parameter current: the session of the connection that asks.
    /// - Parameter isOnline: whether a connection speaks by this session now.
    package func decideSessions(
        of number: AccountNumber,
        current: TokenHash?,
        isOnline: (TokenHash) -> Bool
    ) -> Reply {
        let rows = (account(number)?.sessions ?? []).map { session in
            var fields: [KeyValue] = [.word("id", session.id)]
            if let created = session.created { fields.append(.time("created", created)) }
            fields += [.flag("online", isOnline(session.hash)), .flag("current", session.hash == current)]
            return Row("session", fields)
        }
        return .done(rows: rows, [.number("n", rows.count)])
    }

    package func decideToken(
        _ request: TokenRequest,
        _ hash: TokenHash,
        by number: AccountNumber,
        now: Timestamp
    ) throws(Refusal) -> TokenRecord {
        guard let account = account(number) else { throw .needAuth }
        if account.isGuest { throw .denied("a guest makes no tokens: LINK first") }
        guard (1...64).contains(request.label.utf8.count), !request.label.utf8.contains(0x3D) else {
            throw .badArg("label", "1 to 64 bytes without =")
        }
        if account.tokens.count >= limits.tokens {
            throw Refusal(
                .limit,
                details: [.word("key", "limits.tokens"), .number("limit", limits.tokens)],
                "you have as many tokens as you may; TOKEN-DEL one"
            )
        }
        return TokenRecord(
            hash: hash,
            label: request.label,
            scope: request.scope,
            created: now,
            expires: request.lifetime.map { Timestamp(milliseconds: now.milliseconds + $0 * 1000) }
        )
    }

    package func decideTokens(of number: AccountNumber) -> Reply {
        let rows = (account(number)?.tokens ?? []).map { Row("token", $0.fields) }
        return .done(rows: rows, [.number("n", rows.count)])
    }

    /// The token or session that an id of TOKENS or SESSIONS names.
    package func credential(_ id: String, of number: AccountNumber) -> (hash: TokenHash, isToken: Bool)? {
        guard let account = account(number) else { return nil }
        if let token = account.tokens.first(where: { $0.id == id }) { return (token.hash, true) }
        return account.sessions.first { $0.id == id }.map { ($0.hash, false) }
    }

    /// What a token of TOKEN may be used for; nil for a session, which may do everything.
    package func token(_ hash: TokenHash, of number: AccountNumber) -> TokenRecord? {
        account(number)?.tokens.first { $0.hash == hash }
    }

    /// Whom BLOCK or UNBLOCK names.
    package func decideBlock(_ user: String, by number: AccountNumber) throws(Refusal) -> AccountNumber {
        guard let other = handles[NameFolding.key(of: user)], account(other)?.isErasing == false else {
            throw Refusal(.notFound, field: "user", Refusal.notFound.text)
        }
        if other == number { throw .badArg("user", "one cannot block oneself") }
        if let own = account(number), own.blocked.count >= limits.blocks, !own.hasBlocked(other) {
            throw Refusal(
                .limit,
                details: [.word("key", "limits.blocks"), .number("limit", limits.blocks)],
                "you have blocked as many as you may"
            )
        }
        return other
    }

    package func decideBlocks(of number: AccountNumber) -> Reply {
        let rows = (account(number)?.blocked ?? []).map { Row("block", [.word("user", handleText($0))]) }
        return .done(rows: rows, [.number("n", rows.count)])
    }

    /// Whether one of the two has blocked the other.
    package func isBlocked(_ a: AccountNumber, _ b: AccountNumber) -> Bool {
        account(a)?.hasBlocked(b) == true || account(b)?.hasBlocked(a) == true
    }
}

extension TokenRecord {
    /// `id= label= scope= created= [expires=]`
    package var fields: [KeyValue] {
        var fields: [KeyValue] = [
            .word("id", id), .word("label", label), .word("scope", scope.text), .time("created", created),
        ]
        if let expires { fields.append(.time("expires", expires)) }
        return fields
    }
}
