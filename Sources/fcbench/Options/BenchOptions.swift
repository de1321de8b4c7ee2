/// What the command line asks for.
struct BenchOptions: Equatable {
    /// The kind of server at the other end.
    var kind = ServerKind.fc
    var host = "127.0.0.1"
    var port: UInt16 = 7700
    /// Process whose CPU time and memory are reported.
    var serverPID: Int32?
    var mode: BenchMode
    /// Room of fan, rate and acked; everybody is in the lobby.
    var room = "#lobby"
    /// Bytes of each message's text.
    var byteCount = 100
    /// Seconds of sending, or of being idle; the longest a storm may take.
    var seconds = 5.0
    /// Connections that get ready at a time.
    var crowd = 32
    /// Messages each publisher sends at most.
    var messages = UInt32.max
    /// Seconds without a delivery after which the rest counts as lost.
    var drain = 5.0
    var form = ReportForm.table
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
    /// The table of a file of results.
    case table(file: String)
}

/// How a run is reported: a row for people, one JSON object, or words `key=value` as `fcbench table` reads them.
enum ReportForm: Equatable { case table, json, raw }
