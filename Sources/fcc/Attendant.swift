import SystemIO

/// Somebody who is served whatever the program waits for: the person at the terminal of the chat.
protocol Attendant: AnyObject {
    /// What to watch for him.
    var watches: [Watch] { get }

    /// Serves him; to be called when one of `watches` has something.
    /// - Returns: whether there is something to do now for the one who waits.
    func attend() throws(Failure) -> Bool
}
