import Glibc
import SystemIO

/// Questions to the person at the terminal; standard input is read, standard error shows the question.
enum Terminal {
    private static let input: Int32 = 0

    /// Whether there is a person to ask.
    static var isThere: Bool { isatty(input) == 1 && isatty(Output.standardError) == 1 }

    /// Whether the person sees standard output.
    static var showsOutput: Bool { isatty(Output.standardOutput) == 1 }

    /// Asks until the answer is yes or no; the end of input is no.
    static func confirms(_ question: String) -> Bool {
        while true {
            Output.prompt(question + " (yes/no) ")
            guard let answer = readLine(strippingNewline: true) else { return false }
            switch answer.lowercased() {
            case "yes", "y": return true
            case "no", "n": return false
            default: Output.prompt("please type yes or no\n")
            }
        }
    }

    /// Asks for a password without showing it. Nil at the end of input.
    /// - Throws: `Failure` when the person interrupts; the terminal is as before.
    static func password(_ question: String) throws(Failure) -> String? {
        var before = termios()
        guard tcgetattr(input, &before) == 0 else { throw Failure(.usage, "the terminal cannot be asked") }
        // The signals come by descriptor meanwhile, so that no interrupt leaves the terminal without echo.
        let interrupts: Interrupts
        do {
            interrupts = try Interrupts()
        } catch {
            throw Failure(.usage, "the terminal cannot be asked: \(error)")
        }
        var silent = before
        silent.c_lflag &= ~tcflag_t(ECHO)
        tcsetattr(input, TCSAFLUSH, &silent)
        defer {
            tcsetattr(input, TCSAFLUSH, &before)
            Output.prompt("\n")
            interrupts.letThrough()
        }
        Output.prompt(question)
        return try line(Waiter(interrupts: interrupts))
    }

    private static func line(_ waiter: Waiter) throws(Failure) -> String? {
        var bytes: [UInt8] = []
        while true {
            var watches = [Watch(input, input: true)]
            do {
                guard try waiter.wait(for: &watches, milliseconds: -1) else { continue }
            } catch {
                throw Failure(.usage, "interrupted")
            }
            guard let more = try? FileBytes.chunk(input, atMost: 4096), !more.isEmpty else { return nil }
            bytes += more
            if let end = bytes.firstIndex(of: 0x0A) { return String(decoding: bytes[..<end], as: UTF8.self) }
            if bytes.count > 4096 { throw Failure(.usage, "this is no password") }
        }
    }
}
