// Answers "!echo TEXT" in #lobby with TEXT. Build: swiftc -O echo.swift. Usage: FC_TOKEN=… echo HOST PORT CERTIFICATE
// (guest without a token). The TLS is that of openssl s_client, which turns two pipes into a connection.
import Foundation
let (host, port, certificate) = (CommandLine.arguments[1], CommandLine.arguments[2], CommandLine.arguments[3])
var (token, log, cursor): (String?, String?, Int?) = (ProcessInfo.processInfo.environment["FC_TOKEN"], nil, nil)
signal(SIGPIPE, SIG_IGN)

func keys(_ line: String) -> [String: String] {
    var found: [String: String] = [:]
    for match in line.matches(of: #/\ (?<key>[a-z0-9\-]+)=(?<value>"(?:[^"\\]|\\.)*"|[^ ]*)/#) {
        let value = String(match.value)
        let isQuoted = value.hasPrefix("\"")
        found[String(match.key)] = isQuoted ? try? JSONDecoder().decode(String.self, from: Data(value.utf8)) : value
    }
    return found
}
func talk() throws {
    let (wire, toServer, fromServer) = (Process(), Pipe(), Pipe())
    wire.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    let options = "s_client -quiet -verify_quiet -verify_return_error -connect \(host):\(port) -CAfile"
    wire.arguments = ["openssl"] + options.split(separator: " ").map(String.init) + [certificate]
    (wire.standardInput, wire.standardOutput, wire.standardError) = (toServer, fromServer, FileHandle.nullDevice)
    try wire.run()
    defer { wire.terminate() }
    func say(_ line: String) throws { try toServer.fileHandleForWriting.write(contentsOf: Data((line + "\n").utf8)) }
    var (me, rest) = ("", Data())
    while case let bytes = fromServer.fileHandleForReading.availableData, !bytes.isEmpty {
        rest += bytes
        while let end = rest.firstIndex(of: 0x0A) {
            let line = String(decoding: rest[..<end], as: UTF8.self)
            let event = keys(line)
            rest = Data(rest[(end + 1)...])
            if line.hasPrefix("HI ") {
                if event["log"] != log { (log, cursor) = (event["log"], nil) }
                try say("@in AUTH " + (token.map { "token=\($0)" } ?? "anonymous=yes"))
            } else if line.hasPrefix("OK @in ") {
                (me, token) = (event["user"] ?? "", event["token"])
                try say("@sub SUB " + (cursor.map { "since=\($0) " } ?? "") + "#lobby")
            } else if line.hasPrefix("OK @sub ") {
                cursor = cursor ?? Int(event["next"] ?? "").map { $0 - 1 }
            } else if line.hasPrefix("ERR @sub ") {  // what followed the cursor is no longer kept
                cursor = nil
                try say("@sub SUB #lobby")
            } else if line.hasPrefix("ERR @in ") || line.hasPrefix("BYE BAD-AUTH") { exit(1)
            } else if line.hasPrefix("EV "), let seq = event["seq"] {
                if line.hasPrefix("EV msg "), event["by"] != me, let text = event["text"], text.hasPrefix("!echo ") {
                    let quoted = String(decoding: try JSONEncoder().encode(String(text.dropFirst(6))), as: UTF8.self)
                    try say("SEND nonce=echo-\(seq) reply=\(seq) text=\(quoted) #lobby")
                }
                cursor = Int(seq)
            }
        }
    }
}

while true {
    try? talk()
    usleep(UInt32.random(in: 500_000...3_000_000))  // no server was ever helped by all at once
}
