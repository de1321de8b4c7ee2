import ChatClient
import SystemIO

/// Where a password comes from: a file, the environment or the terminal, in this order; never the command line.
struct PasswordSource {
    let file: String?
    /// The value of FCC_PASSWORD.
    let environment: String?

    /// Whether a person will be asked.
    var needsTerminal: Bool { file == nil && environment == nil }

    /// - Parameter isNew: a new password is asked for twice.
    func password(isNew: Bool) throws(Failure) -> String {
        let text: String
        if let file {
            text = try Self.fromFile(file)
        } else if let environment {
            text = environment
        } else {
            text = try Self.fromTerminal(isNew: isNew)
        }
        if text.isEmpty { throw Failure(.usage, "the password is empty") }
        if text.unicodeScalars.contains(where: { ($0.value < 0x20 && $0 != "\t") || $0.value == 0x7F }) {
            throw Failure(.usage, "a password is one line without control characters")
        }
        return text
    }

    private static func fromFile(_ path: String) throws(Failure) -> String {
        let bytes: [UInt8]
        do {
            bytes = try FileBytes.read(path, limit: 8192)
        } catch {
            throw Failure(.usage, "--password-file \(VisibleText.line(path)): \(error)")
        }
        var line = bytes[..<(bytes.firstIndex(of: 0x0A) ?? bytes.endIndex)]
        if line.last == 0x0D { line.removeLast() }
        guard let text = String(validating: line, as: UTF8.self) else {
            throw Failure(.usage, "--password-file \(VisibleText.line(path)): not UTF-8")
        }
        return text
    }

    private static func fromTerminal(isNew: Bool) throws(Failure) -> String {
        guard Terminal.isThere else {
            throw Failure(.usage, "no terminal to ask for the password: set FCC_PASSWORD or use --password-file")
        }
        guard let first = try Terminal.password("Password: ") else { throw Failure(.usage, "no password was given") }
        if isNew {
            guard try Terminal.password("Again: ") == first else { throw Failure(.usage, "the two passwords differ") }
        }
        return first
    }
}
