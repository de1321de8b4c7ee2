import ChatClient
import Wire

/// `fcc items put COLL -`: each line of standard input is an item; ends at the first that is refused.
struct PutItemsCommand {
    let context: Context
    let collection: String

    func run() throws(Failure) {
        let (session, _) = try context.signedIn()
        var (input, count) = (InputLines(), 0)
        while !input.isEnded {
            for line in try input.read() {
                let request = try context.request { () throws(Request.Fault) in
                    try ItemRequest.put(line, in: collection)
                }
                do {
                    let end = try session.perform(request).end
                    count += 1
                    let isJSON = context.invocation.isJSON
                    try context.output.line(isJSON ? LineObject.text(of: end) : VisibleText.line(end["id"] ?? ""))
                } catch {
                    guard let text = error.text else { throw error }
                    throw Failure(error.code, "\(text) (\(count) put)")
                }
            }
        }
    }
}
