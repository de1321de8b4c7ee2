import Glibc

/// What a person at a terminal reads after the start.
enum Greeting {
    static func text(chat: String) -> String {
        """

        FriendlyChat is ready. Talk to it from another terminal:

            openssl s_client -quiet -verify_quiet -connect \(chat)

        then type, for example:

            SIGNUP name=ada ada@example.org a-good-password
            SEND #lobby hello
            HELP

        """
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
