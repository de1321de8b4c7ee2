import ChatClient
import Wire

/// Why a command did not do what it was told.
struct Failure: Error {
    let code: ExitCode
    /// For people, without the program's name; nil for a quiet end (an interrupt, a reader that went away).
    let text: String?
    /// Whether trying again later may help, and after how many seconds at the earliest.
    var isTemporary = false
    var retryAfter: UInt64?
    /// The code of the ERR or BYE that it is.
    var serverCode: String?

    init(_ code: ExitCode, _ text: String?) { (self.code, self.text) = (code, text) }

    /// Nothing went wrong, but nobody wants more.
    static let quietEnd = Failure(.done, nil)

    /// The connection does not exist or does no longer.
    static func lost(_ text: String) -> Failure {
        var failure = Failure(.noConnection, text)
        failure.isTemporary = true
        return failure
    }

    /// A refusal of the server: an ERR, or a BYE that is not our own.
    init(_ line: ServerLine) {
        let code = line.kind ?? "INTERNAL"
        var words = VisibleText.line(code)
        if let human = line.human { words += ": " + VisibleText.line(human) }
        if let field = line["field"] { words += " (\(VisibleText.line(field)))" }
        if let seconds = line.number("retry") { words += " (try again in \(seconds) s)" }
        if line.word == .bye {
            let isSession = code == "BAD-AUTH" || code == "NEED-AUTH"
            self.init(isSession ? .notSignedIn : .noConnection, "the server closed the connection: \(words)")
            isTemporary = !isSession
        } else {
            self.init(code == "NEED-AUTH" ? .notSignedIn : .refused, words)
            let mayPass = ["BUSY", "SHUTDOWN", "LIMIT", "INTERNAL"].contains(code)
            isTemporary = mayPass && line["retry"] != "no"
        }
        retryAfter = line.number("retry")
        serverCode = code
    }

    init(_ fault: Request.Fault) {
        switch fault {
        case .argument(let text):
            self.init(.usage, "\"\(VisibleText.line(text))\" must be one word, without blanks, controls or key=")
        }
    }
}
