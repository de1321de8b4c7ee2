import ChatClient
import Wire

/// `fcc send --file`: uploads a file, then sends it as a message.
struct SendFileCommand {
    let context: Context
    let conversation: String
    let path: String
    let caption: String?
    let reply: String?

    func run() throws(Failure) {
        let blob = try upload()
        // The message has a nonce and is tried again after a lost connection; the file has arrived.
        try SendCommand(context, conversation: conversation, content: .blob(blob, caption: caption), reply: reply).run()
    }

    private func upload() throws(Failure) -> String {
        let session = try context.signedIn().session
        let end = try PutCommand.put(path, session, context, conversation: conversation)
        guard let blob = end["blob"] else { throw Failure(.refused, "the server took the file without naming it") }
        return blob
    }
}
