import ChatClient
import Glibc
import SystemIO
import Wire

/// `fcc notify`: runs a command for each message of others that comes from now on, one after the other.
final class NotifyCommand: Attendant {
    private let command: [String]
    private let environment: [String: String]
    private let interrupts: Interrupts
    private let isQuiet: Bool
    private var plan: NotifyPlan
    private var child: ChildProgram?
    /// What the running command has still to read.
    private var unsent: ArraySlice<UInt8> = []

    /// Follows these conversations, all when none is named, until an interrupt ends it.
    static func run(
        _ invocation: Invocation,
        _ conversations: [String],
        muted: [String],
        command: [String],
        _ environment: [String: String]
    ) throws(Failure) {
        let interrupts: Interrupts
        do {
            interrupts = try Interrupts()
        } catch {
            throw Failure(.usage, "\(error)")
        }
        let notify = NotifyCommand(command, muted, environment, interrupts, isQuiet: invocation.isQuiet)
        let context = try Context(invocation, environment: environment, attendant: notify)
        let plan = TailPlan.following(conversations)
        try TailCommand(
            context,
            plan: plan,
            begun: { user in context.output.note("running \(VisibleText.line(command[0])) for messages to \(user)") },
            deliver: { (event, user) throws(Failure) in try notify.take(event, user) }
        )
        .run()
    }

    private init(
        _ command: [String],
        _ muted: [String],
        _ environment: [String: String],
        _ interrupts: Interrupts,
        isQuiet: Bool
    ) {
        (self.command, self.interrupts, self.isQuiet) = (command, interrupts, isQuiet)
        // The password is nobody else's.
        self.environment = environment.filter { $0.key != "FCC_PASSWORD" }
        plan = NotifyPlan(muted: muted)
    }

    private func take(_ event: ServerLine, _ user: String) throws(Failure) {
        plan.take(event, user: user)
        try advance()
    }

    var watches: [Watch] { [Watch(interrupts.descriptor, input: true)] + (child?.watches ?? []) }

    func attend() throws(Failure) -> Bool {
        var interrupt = [Watch(interrupts.descriptor, input: true)]
        if let any = try? Watch.wait(for: &interrupt, milliseconds: 0), any { throw .quietEnd }
        try advance()
        return false
    }

    /// Feeds the running command, notes its end, and begins with the next message.
    private func advance() throws(Failure) {
        defer { tellNotes() }
        while true {
            if let child {
                feed(child)
                guard let code = child.exitCode() else { return }
                if code != 0 { Output.error("\(VisibleText.line(command[0])) ended with \(code)") }
                self.child = nil
            }
            guard let message = plan.next() else { return }
            try begin(message)
        }
    }

    private func begin(_ message: ServerLine) throws(Failure) {
        var environment = environment
        for (key, value) in NotifyPlan.environment(of: message) { environment[key] = value }
        do {
            child = try ChildProgram(command, environment: environment)
            unsent = Array((LineObject.text(of: message) + "\n").utf8)[...]
        } catch {
            let text = "\(VisibleText.line(command[0])) cannot be started: \(error)"
            if [ENOENT, EACCES, ENOEXEC, ENOTDIR, ELOOP].contains(error.code) { throw Failure(.usage, text) }
            Output.error(text)
        }
    }

    private func feed(_ child: ChildProgram) {
        do {
            while !unsent.isEmpty {
                let count = try child.write(unsent)
                if count == 0 { return }
                unsent = unsent.dropFirst(count)
            }
        } catch {
            // It need not read what it is told.
            unsent = []
        }
        child.closeInput()
    }

    private func tellNotes() {
        for note in plan.takeNotes() where !isQuiet { Output.error(note) }
    }
}
