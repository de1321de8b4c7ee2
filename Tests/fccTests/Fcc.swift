import Foundation
import Glibc
import Testing

/// Runs the built `fcc` with a configuration directory of its own.
final class Fcc {
    struct Run {
        let code: Int32
        let out: String
        let err: String
    }

    /// A started program.
    final class Started {
        let process = Process()
        let input = Pipe()
        let output = Pipe()
        let errors = Pipe()

        /// Waits until it has ended, at most 20 s, then it is killed and the test fails.
        func finish() -> Run {
            let deadline = Date(timeIntervalSinceNow: 20)
            let (output, errors) = (output.fileHandleForReading, errors.fileHandleForReading)
            let killer = DispatchWorkItem { [process] in
                Issue.record("fcc did not end")
                kill(process.processIdentifier, SIGKILL)
            }
            DispatchQueue.global().asyncAfter(deadline: .now() + deadline.timeIntervalSinceNow, execute: killer)
            defer { killer.cancel() }
            let out = output.readDataToEndOfFile()
            let err = errors.readDataToEndOfFile()
            process.waitUntilExit()
            return Run(
                code: process.terminationReason == .exit ? process.terminationStatus : -process.terminationStatus,
                out: String(decoding: out, as: UTF8.self),
                err: String(decoding: err, as: UTF8.self)
            )
        }

        /// The next line of standard output.
        func line() -> String { Self.line(output) }

        /// The next line of standard error.
        func errorLine() -> String { Self.line(errors) }

        private static func line(_ pipe: Pipe) -> String {
            var bytes: [UInt8] = []
            var byte: UInt8 = 0
            while read(pipe.fileHandleForReading.fileDescriptor, &byte, 1) == 1, byte != 0x0A { bytes.append(byte) }
            return String(decoding: bytes, as: UTF8.self)
        }
    }

    let home: URL
    var environment: [String: String]

    init() throws {
        home = FileManager.default.temporaryDirectory.appendingPathComponent("fcc-test-" + UUID().uuidString)
        try FileManager.default.createDirectory(at: home, withIntermediateDirectories: true)
        environment = ["XDG_CONFIG_HOME": home.path, "TZ": "UTC", "PATH": "/usr/bin:/bin"]
    }

    deinit { try? FileManager.default.removeItem(at: home) }

    /// The profile file of that name.
    func profile(_ name: String = "default") -> URL { home.appendingPathComponent("fcc/\(name).json") }

    func profileText() -> String { (try? String(contentsOf: profile(), encoding: .utf8)) ?? "" }

    /// As if somebody had signed in at `server`.
    func signIn(at server: ScriptedServer, pin: String? = nil) throws {
        try FileManager.default.createDirectory(
            at: home.appendingPathComponent("fcc"),
            withIntermediateDirectories: true
        )
        let text = """
            {"server": "\(server.address)", "user": "ada", "token": "secret", "pin": "\(pin ?? server.fingerprint)"}
            """
        try Data(text.utf8).write(to: profile())
    }

    func start(_ arguments: String..., input: String? = nil) throws -> Started {
        try start(arguments, input: input)
    }

    /// - Parameter folder: the working directory.
    func start(_ arguments: [String], input: String? = nil, folder: URL? = nil) throws -> Started {
        let started = Started()
        started.process.currentDirectoryURL = folder
        started.process.executableURL = Self.program
        started.process.arguments = arguments
        started.process.environment = environment
        started.process.standardInput = started.input
        started.process.standardOutput = started.output
        started.process.standardError = started.errors
        try started.process.run()
        if let input {
            started.input.fileHandleForWriting.write(Data(input.utf8))
            try started.input.fileHandleForWriting.close()
        }
        return started
    }

    func run(_ arguments: String..., input: String = "") throws -> Run { try start(arguments, input: input).finish() }

    /// Beside the bundle of the tests.
    static var program: URL {
        let bundle = URL(
            fileURLWithPath: CommandLine.arguments.first { $0.contains(".xctest") } ?? CommandLine.arguments[0]
        )
        return bundle.deletingLastPathComponent().appendingPathComponent("fcc")
    }
}
