/// Why the daemon cannot start or go on, with the exit code of commands.md.
struct Failure: Error {
    let exitCode: Int32
    let text: String

    static func running(_ text: String) -> Failure { Failure(exitCode: 1, text: text) }
    static func configuration(_ text: String) -> Failure { Failure(exitCode: 2, text: text) }
    static func inUse(_ text: String) -> Failure { Failure(exitCode: 3, text: text) }
    static func damaged(_ text: String) -> Failure { Failure(exitCode: 4, text: text) }
}
