extension Command {
    /// What a token must be for so that this may be asked with it.
    package var scope: TokenScope {
        switch self {
        case .own, .limits, .bye, .signUp, .signIn, .admin, .whoAmI: []
        // Ends what one signed in with, and nothing else.
        case .signOut(let all): all ? .account : []
        case .conversations, .list, .members, .history, .subscribe, .subscribeAll, .unsubscribe, .unsubscribeAll,
            .subscriptions, .blobs, .who, .search, .item, .items, .subscribeItems, .unsubscribeItems:
            .read
        case .blob(_, let links): links == .end ? .send : .read
        case .send, .edit, .delete, .react, .seen, .typing, .away, .putBlob, .deleteBlob, .putItem,
            .deleteItem:
            .send
        case .create, .join, .leave, .invite, .moderate, .setTopic, .drop: .manage
        case .account(let command): command.scope
        }
    }
}

extension AccountCommand {
    fileprivate var scope: TokenScope {
        switch self {
        case .users: .read
        case .profile(let user): user == nil ? .account : .read
        case .sessions, .link, .changePassword, .changeEmail, .unregister, .changeProfile, .makeToken, .tokens,
            .deleteToken, .block, .unblock, .blocks, .export:
            .account
        }
    }
}
