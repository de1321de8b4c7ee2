import Glibc

/// What a person at a terminal reads after the start.
enum Greeting {
    /// - Parameter chat: the first address of the chat port. One that stands for all of the host's is shown as what this
    ///   host itself connects to.
    static func text(chat: String) -> String {
        let near = reachable(chat)
        let far = near == chat ? "" : " (or another machine, with this one's address)"
        return """

            FriendlyChat is ready. Talk to it from another terminal\(far):

                openssl s_client -quiet -verify_quiet -connect \(near)

            then type, for example:

                SIGNUP name=ada ada@example.org a-good-password
                SEND #lobby hello
                HELP
                BYE

            """
    }

    private static func reachable(_ chat: String) -> String {
        for (all, own) in [("0.0.0.0:", "127.0.0.1:"), ("[::]:", "[::1]:")] where chat.hasPrefix(all) {
            return own + chat.dropFirst(all.count)
        }
        return chat
    }
}

/// Writes whole texts to a descriptor.
enum Output {
    /// Lost when nobody reads.
    static func write(_ text: String, to descriptor: Int32) {
        var bytes = Array(text.utf8)[...]
        while !bytes.isEmpty {
            let n = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if n <= 0 { return }
            bytes = bytes.dropFirst(n)
        }
    }
}
