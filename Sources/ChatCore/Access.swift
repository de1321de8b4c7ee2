import ChatModel

/// The rules of access (protocol.md, Rules of access): default deny, one function for each row of the table.
///
/// Whether somebody may know that a conversation exists is decided before (`State.findAsMember`): what is refused there
/// is NOT-FOUND, what is refused here is DENIED.
package enum Access {
    package enum Act: Sendable, CaseIterable { case read, create, change, delete }

    /// Who asks, towards the thing that is asked about.
    package struct Asker: Sendable {
        /// Its owner: oneself for accounts, profiles and markers, the author of a message, the uploader of a blob.
        package var owns = false
        package var isOperator = false
        package var isGuest = false
        /// In the conversation the thing belongs to; nil for those who are not in it, ejected and banned ones too.
        package var role: Role?
        package var isBanned = false
        package var isMuted = false
        package init() {}

        package var isMember: Bool { role != nil && !isBanned }
        /// May say something there.
        package var mayWrite: Bool { isMember && role != .reader && !isMuted }
        package var isOp: Bool { isMember && (role ?? .reader) >= .op }
    }

    /// Password, sessions and tokens. Change and delete by oneself need the password, which the caller sees to.
    package static func secrets(_ act: Act, _ asker: Asker) -> Bool {
        switch act {
        case .read: false
        case .create: asker.owns
        case .change, .delete: asker.owns || asker.isOperator
        }
    }

    /// Name, display name, picture, what one says of oneself. It comes and goes with the account.
    package static func profile(_ act: Act, _ asker: Asker) -> Bool {
        switch act {
        case .read: true
        case .change: asker.owns
        case .create, .delete: false
        }
    }

    /// E-mail and phone.
    package static func contact(_ act: Act, _ asker: Asker) -> Bool {
        switch act {
        case .read: asker.owns || asker.isOperator
        case .change: asker.owns
        case .create, .delete: false
        }
    }

    /// A conversation and who is in it. Change is title, roles, invitations, putting out.
    package static func conversation(
        _ act: Act,
        _ asker: Asker,
        isPublic: Bool,
        guestsCreate: Bool = false
    ) -> Bool {
        switch act {
        case .read: asker.isMember || asker.isOperator || isPublic
        case .create: !asker.isOperator && (!asker.isGuest || guestsCreate)
        case .change: asker.isOp
        case .delete: asker.isMember && asker.role == .owner || asker.isOperator
        }
    }

    /// A message that stands behind its reader's joining where that counts.
    package static func message(_ act: Act, _ asker: Asker) -> Bool {
        switch act {
        case .read: asker.isMember
        case .create: asker.mayWrite
        case .change: asker.owns && asker.mayWrite
        case .delete: asker.owns && asker.isMember || asker.isOp || asker.isOperator
        }
    }

    /// How far somebody has read; it moves forward only, which the caller sees to.
    package static func marker(_ act: Act, _ asker: Asker) -> Bool {
        switch act {
        case .read: asker.owns
        case .change: asker.owns && asker.isMember
        case .create, .delete: false
        }
    }

    /// An item: a public one, or one of the conversation that `asker` is about, which its reader is in.
    package static func item(_ act: Act, _ asker: Asker, isPublic: Bool, guestsCreate: Bool = false) -> Bool {
        switch act {
        case .read: isPublic ? !asker.isOperator : asker.isMember
        case .create: isPublic ? !asker.isOperator && (!asker.isGuest || guestsCreate) : asker.mayWrite
        case .change: asker.owns && (isPublic || asker.mayWrite)
        case .delete: asker.owns && (isPublic || asker.isMember) || !isPublic && asker.isOp
        }
    }

    /// An upload. `seesIt`: a message it was sent with is there for the asker, or it is an account's picture.
    package static func blob(_ act: Act, _ asker: Asker, seesIt: Bool = false) -> Bool {
        switch act {
        case .read: asker.owns || seesIt
        case .create: !asker.isOperator
        case .change: false
        case .delete: asker.owns || asker.isOperator
        }
    }
}

extension State {
    /// Whether the other side of a 1:1 is still there and has not blocked `account`; true elsewhere.
    private func isHeard(_ account: AccountNumber, in conversation: Conversation) -> Bool {
        guard let peer = conversation.peer(of: account) else { return true }
        guard let other = self.account(peer), !other.isErasing else { return false }
        return !other.hasBlocked(account)
    }

    /// Who `account` is in a conversation.
    package func asker(_ account: AccountNumber, in conversation: Conversation) -> Access.Asker {
        var asker = Access.Asker()
        if account == .operator {
            asker.isOperator = true
            return asker
        }
        asker.isGuest = self.account(account)?.isGuest ?? true
        asker.role = conversation.role(of: account)
        asker.isBanned = conversation.banned[account] != nil
        asker.isMuted = conversation.muted[account] != nil || !isHeard(account, in: conversation)
        return asker
    }
}
