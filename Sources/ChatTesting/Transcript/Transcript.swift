/// One example of the manual: what named connections say and what the server answers, in the order written.
package struct Transcript: Sendable, Equatable {
    /// The nearest heading above the block, without its `#` marks; empty when there is none.
    package let heading: String
    /// The line of the opening fence in its document, counted from 1.
    package let line: Int
    package let steps: [Step]

    package init(heading: String, line: Int, steps: [Step]) {
        self.heading = heading
        self.line = line
        self.steps = steps
    }

    /// One line of the block.
    package struct Step: Sendable, Equatable {
        /// Its line in the document, counted from 1.
        package let line: Int
        package let action: Action

        package init(line: Int, action: Action) {
            self.line = line
            self.action = action
        }
    }

    package enum Action: Sendable, Equatable {
        /// `# given: ada, bob are signed up`: each gets an account `NAME@example.test` with the password `Secret123`.
        case signUp([String])
        /// `# given: ada did REQUEST`: the request is sent and must be answered OK; what else comes is not looked at.
        case prepare(connection: String, request: String)
        /// `ada> …`
        case send(connection: String, line: String)
        /// `ada< …`: the next line of this connection.
        case expect(connection: String, pattern: TranscriptPattern)
        /// `ada<~ …`: an event that may stand before or after the lines of `ada<` around it.
        case expectAround(connection: String, pattern: TranscriptPattern)
        /// `ada< ...`: lines are left out; the next expected line is looked for among what comes.
        case skip(connection: String)
        /// `ada< (closed)`: the server has ended the connection and nothing else came before.
        case expectEnd(connection: String)
        /// `# ada closes`: the connection is closed; a later line of the same name opens a new one.
        case close(connection: String)
        /// `# the server is killed and started again`, on the same data directory.
        case restart
    }
}

extension Transcript: CustomStringConvertible {
    package var description: String { "line \(line), \(heading)" }
}
