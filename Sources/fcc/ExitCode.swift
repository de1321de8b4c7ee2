/// How `fcc` ends; scripts rely on these numbers.
enum ExitCode: Int32 {
    case done = 0
    /// The server said no; its code stands on standard error.
    case refused = 1
    /// Wrong usage, or a file that cannot be read or written.
    case usage = 2
    case noConnection = 3
    case certificate = 4
    case notSignedIn = 5
}
