import ChatClient
import Wire

/// `fcc whoami`: who is signed in, as the server sees it.
struct WhoamiCommand {
    let context: Context

    func run() throws(Failure) {
        let reply = try context.signedIn().session.perform(Request(fixed: "WHOAMI"))
        if context.invocation.isJSON { return try context.output.line(LineObject.text(of: reply.end)) }
        var words = [VisibleText.line(reply.end["user"] ?? "?")]
        if let display = reply.end["display"], display != reply.end["user"] {
            words.append("(\(VisibleText.line(display)))")
        }
        words.append("at \(context.endpoint)")
        try context.output.line(words.joined(separator: " "))
    }
}
