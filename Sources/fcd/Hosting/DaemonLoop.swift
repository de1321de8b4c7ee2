import BlobFrontEnd
import Engine
import LineFrontEnd
import Synchronization
import SystemIO
import Transport

/// One loop's thread: its event loop, its front ends, and on loop 0, where there are few CPUs, the engine.
final class DaemonLoop: LoopDriver {
    private let index: Int
    private let front: LineFrontEnd
    private let blobs: BlobFrontEnd
    private let switchboard: Switchboard
    /// This loop's mailbox and the engine's, of `switchboard`.
    private let mailbox: Mailbox<LoopMail>
    private let engine: Mailbox<EngineMail>
    private let host: EngineHost?
    private var inbox = ContiguousArray<LoopMail>()
    /// Monotonic seconds after which a stopping loop waits for nobody.
    private var stopDeadline: UInt64?
    /// Called about once a second on loop 0, with monotonic seconds.
    var onTick: ((UInt64) -> Void)?

    /// Turns that records wait for the disk while replies still go out: whoever gets one is likely to send again, and its
    /// next message then shares the sync. Fan-out is waited for where so many share one anyway.
    private static let patience = 4
    /// Records of one sync from which on it is worth more to have few syncs than to begin each at once.
    private static let crowd: UInt64 = 16
    /// Seconds a stop waits for peers to take their last line.
    private static let stopSeconds: UInt64 = 3

    init(index: Int, front: LineFrontEnd, blobs: BlobFrontEnd, switchboard: Switchboard, host: EngineHost?) {
        (self.index, self.front, self.blobs, self.switchboard, self.host) = (index, front, blobs, switchboard, host)
        (mailbox, engine) = (switchboard.loops[index], switchboard.engine)
    }

    func turn(_ loop: EventLoop) -> Bool {
        // What is posted from here to this thread needs no ring, which would end the next wait for nothing.
        mailbox.wake()
        if host != nil { engine.wake() }
        front.submitBatch()
        engine.post(all: &front.outgoing)
        engine.post(all: &blobs.outgoing)
        host?.turn()
        mailbox.take(into: &inbox)
        front.take(&inbox)
        let more = front.flushSlice()
        let moreFiles = blobs.flushSlice()
        if let host, !more || !mayWait(host) || host.turnsUnflushed >= Self.patience { host.flushJournal() }
        if switchboard.isStopping.load(ordering: .relaxed) { stopIfDone(loop) }
        return more || moreFiles || !front.outgoing.isEmpty || !blobs.outgoing.isEmpty
    }

    /// Whether records may wait until what is to be sent is sent.
    private func mayWait(_ host: EngineHost) -> Bool { front.hasReplies || host.lastBatch >= Self.crowd }

    func willSleep(_ loop: EventLoop) -> Bool {
        if host != nil, !engine.sleep() { return false }
        return mailbox.sleep()
    }

    func tick(_ loop: EventLoop, now: UInt64) {
        onTick?(now)
        if index == 0 { engine.post(.tick(residentBytes: Machine.residentBytes)) }
    }

    /// A stopping loop ends when its connections have gone, or have had their time.
    private func stopIfDone(_ loop: EventLoop) {
        guard let deadline = stopDeadline else {
            stopDeadline = loop.seconds + Self.stopSeconds
            loop.wantsTicks = true
            loop.closeListeners()
            return
        }
        guard front.isEmpty && blobs.isIdle || loop.seconds > deadline else { return }
        loop.stop()
    }
}
