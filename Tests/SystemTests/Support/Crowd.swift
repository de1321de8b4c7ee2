import ChatTesting

extension RunningDaemon {
    /// Makes so many accounts that are not signed in, members of `conversation` when one is named; their handles.
    @discardableResult
    func crowd(_ count: Int, in conversation: String? = nil) throws -> [String] {
        let client = try client()
        return try (0..<count).map { _ in
            let name = SharedDaemon.name("crowd")
            try client.ok("SIGNUP name=\(name) \(name)@example.test Secret123")
            if let conversation { try client.ok("JOIN \(conversation)") }
            try client.ok("LOGOUT")
            return name
        }
    }
}
