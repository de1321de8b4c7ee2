import Foundation

/// What a shell prints for this command. It is ended after 30 s.
func shell(_ command: String) throws -> String {
    let shell = Process()
    let output = Pipe()
    shell.executableURL = URL(fileURLWithPath: "/usr/bin/timeout")
    shell.arguments = ["30", "bash", "-c", command]
    shell.standardOutput = output
    shell.standardError = FileHandle.nullDevice
    try shell.run()
    let all = try output.fileHandleForReading.readToEnd() ?? Data()
    shell.waitUntilExit()
    return String(decoding: all, as: UTF8.self)
}

/// Makes a file of these bytes.
func write(_ bytes: [UInt8], to path: String) throws { try Data(bytes).write(to: URL(fileURLWithPath: path)) }
