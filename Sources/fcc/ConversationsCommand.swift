import ChatClient

/// `fcc convs`: my conversations, newest activity first.
struct ConversationsCommand {
    let context: Context

    func run() throws(Failure) {
        let session = try context.signedIn().session
        let formatter = ConversationFormatter(like: context.formatter(namesConversation: true))
        var pager = ListPager("CONVS", key: "conv")
        while let request = pager.next() {
            let reply = try session.perform(request)
            pager.take(rows: reply.rows, end: reply.end)
            for row in reply.rows {
                let isJSON = context.invocation.isJSON
                try context.output.line(isJSON ? LineObject.text(of: row) : formatter.text(of: row))
            }
        }
    }
}
