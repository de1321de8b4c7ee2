import ChatClient
import SystemIO

/// Where a password comes from: a file, the environment or the terminal, in this order; never the command line.
struct PasswordSource {
    let file: String?
    /// For the password that takes the place of another.
    let newFile: String?
    /// The value of FCC_PASSWORD.
    let environment: String?

    /// Whether a person will be asked.
    var needsTerminal: Bool { file == nil && environment == nil }

    /// - Parameters:
    ///   - isNew: a new password is asked for twice.
    ///   - question: what a person is asked.
    func password(isNew: Bool, _ question: String = "Password: ") throws(Failure) -> String {
        if let file { return try Self.checked(try Self.fromFile(file, "--password-file")) }
        if let environment { return try Self.checked(environment) }
        guard Terminal.isThere else {
            throw Failure(.usage, "no terminal to ask for the password: set FCC_PASSWORD or use --password-file")
        }
        return try Self.checked(try Self.fromTerminal(question, again: isNew ? "Again: " : nil))
    }

    /// The password that takes the place of another.
    func replacement() throws(Failure) -> String {
        if let newFile { return try Self.checked(try Self.fromFile(newFile, "--new-password-file")) }
        guard Terminal.isThere else {
            throw Failure(.usage, "no terminal to ask for the new password: use --new-password-file")
        }
        return try Self.checked(try Self.fromTerminal("New password: ", again: "New password again: "))
    }

    private static func checked(_ text: String) throws(Failure) -> String {
        if text.isEmpty { throw Failure(.usage, "the password is empty") }
        if text.unicodeScalars.contains(where: { ($0.value < 0x20 && $0 != "\t") || $0.value == 0x7F }) {
            throw Failure(.usage, "a password is one line without control characters")
        }
        return text
    }

    private static func fromFile(_ path: String, _ option: String) throws(Failure) -> String {
        let bytes: [UInt8]
        do {
            bytes = try FileBytes.read(path, limit: 8192)
        } catch {
            throw Failure(.usage, "\(option) \(VisibleText.line(path)): \(error)")
        }
        var line = bytes[..<(bytes.firstIndex(of: 0x0A) ?? bytes.endIndex)]
        if line.last == 0x0D { line.removeLast() }
        guard let text = String(validating: line, as: UTF8.self) else {
            throw Failure(.usage, "\(option) \(VisibleText.line(path)): not UTF-8")
        }
        return text
    }

    private static func fromTerminal(_ question: String, again: String?) throws(Failure) -> String {
        guard let first = try Terminal.password(question) else { throw Failure(.usage, "no password was given") }
        if let again, try Terminal.password(again) != first { throw Failure(.usage, "the two passwords differ") }
        return first
    }
}
