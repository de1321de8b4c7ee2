import Foundation

/// What a shell prints for `script` on its standard output. It is ended after so many seconds.
/// - Parameter environment: nil is that of this process.
package func shell(
    _ script: String,
    environment: [String: String]? = nil,
    within seconds: Int
) throws -> String {
    let shell = Process()
    let output = Pipe()
    shell.executableURL = URL(fileURLWithPath: "/usr/bin/timeout")
    shell.arguments = ["\(seconds)", "bash", "-c", script]
    if let environment { shell.environment = environment }
    shell.standardOutput = output
    shell.standardError = FileHandle.nullDevice
    try shell.run()
    let all = try output.fileHandleForReading.readToEnd() ?? Data()
    shell.waitUntilExit()
    return String(decoding: all, as: UTF8.self)
}
