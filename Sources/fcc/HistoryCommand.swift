import ChatClient

/// `fcc history` and `fcc search`: the newest messages of a conversation, or the newest with some words, oldest first.
struct HistoryCommand {
    let context: Context
    let conversation: String
    let last: UInt64
    /// What is looked for; nil for every message.
    var words: String?

    func run() throws(Failure) {
        let session = try context.signedIn().session
        var pager = HistoryPager(conversation: conversation, last: last, words: words)
        while let request = try context.request({ () throws(Request.Fault) in try pager.next() }) {
            let reply = try session.perform(request)
            pager.take(rows: reply.rows, end: reply.end)
        }
        let formatter = context.formatter(namesConversation: false)
        for row in pager.rows {
            if context.invocation.isJSON {
                try context.output.line(LineObject.text(of: row))
            } else if let text = formatter.text(of: row) {
                try context.output.line(text)
            }
        }
    }
}
