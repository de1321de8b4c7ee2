import ChatTesting
import Foundation

/// `fcd` run to its end, over a data directory that is not there when none is named.
struct FcdRun {
    let code: Int32?
    let output: String
    let errors: String

    init(_ arguments: [String], data: String? = nil, wrapper: [String] = []) throws {
        let directory = TemporaryDirectory()
        let ports = ["--chat", "127.0.0.1:0", "--plain", "none", "--blobs", "127.0.0.1:0"]
        let process = try ChildProcess(
            wrapper + [RunningDaemon.executable] + arguments + ["--data", data ?? directory.path + "/data"] + ports,
            output: directory.path + "/out",
            errors: directory.path + "/err"
        )
        code = process.wait(atMost: 30)
        (output, errors) = (readWhole(directory.path + "/out"), readWhole(directory.path + "/err"))
    }

    /// The lines of standard output.
    var lines: [String] { output.split(separator: "\n").map(String.init) }
}

/// A configuration file of a test's own.
final class ConfigurationFile {
    private let directory = TemporaryDirectory()
    var path: String { directory.path + "/fcd.json5" }

    /// Writes it in place, as an editor may.
    func write(_ text: String) throws { try text.write(toFile: path, atomically: false, encoding: .utf8) }
}
