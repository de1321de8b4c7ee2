/// What a loop does besides carrying bytes: the owner of everything above the connections, on the loop's thread.
package protocol LoopDriver: AnyObject {
    /// Called after every poll, when all that arrived has been read: decides, takes mail, flushes one slice.
    /// - Returns: true when more is to be done; the loop then polls without waiting and calls again.
    func turn(_ loop: EventLoop) -> Bool

    /// Called before the loop waits: announces sleep to the mailboxes. False when there is mail and it must not wait.
    func willSleep(_ loop: EventLoop) -> Bool

    /// Called about once a second while `EventLoop.wantsTicks`.
    /// - Parameter now: monotonic seconds, as in `Connection.deadline`.
    func tick(_ loop: EventLoop, now: UInt64)
}
