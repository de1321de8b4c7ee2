/// What the command line asks for.
struct BenchOptions: Equatable {
    var host = "127.0.0.1"
    var port: UInt16 = 7700
    /// Process whose CPU time and memory are reported.
    var serverPID: Int32?
    var mode: BenchMode
    /// Room of fan, rate and acked; everybody is in the lobby.
    var room = "#lobby"
    /// Bytes of each message's text.
    var byteCount = 100
    /// Seconds of sending.
    var seconds = 5.0
    /// Messages each publisher sends at most.
    var messages = UInt32.max
    /// Seconds without a delivery after which the rest counts as lost.
    var drain = 5.0
    var json = false
    var header = true

    /// The room that a publisher or subscriber of room number `index` is in.
    func roomName(_ index: Int) -> String { mode.membersPublish ? "#r\(index + 1)" : room }
}

/// A wrong command line, told to the person.
struct UsageError: Error, Equatable { let text: String }

/// What a command line that parses asks for.
enum BenchRequest: Equatable {
    case help
    case version
    case run(BenchOptions)
}
