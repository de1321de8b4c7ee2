import ChatClient
import SystemIO
import Wire

/// `fcc raw`: the protocol by hand. Standard input goes to the server and the server's lines come out, as they are.
final class RawCommand {
    /// Bytes waiting for the server above which standard input is not read.
    private static let pendingLimit = 64 << 10

    private let context: Context
    private var inputEnded = false
    private var lastByte: UInt8 = 0x0A
    private var lastLine: [UInt8] = []

    init(_ context: Context) { self.context = context }

    func run() throws(Failure) {
        var known = context.pin
        let connection = try context.connectRaw(known: &known)
        try context.remember(known)
        while true {
            try show(connection)
            try context.output.flush()
            if connection.isEnded { break }
            let mayRead = !inputEnded && connection.unsentCount < Self.pendingLimit
            var watches = [Watch(Output.standardOutput)]
            if mayRead { watches.append(Watch(InputLines.standardInput, input: true)) }
            try connection.step(watching: &watches, milliseconds: -1)
            if watches[0].isBroken { throw .quietEnd }
            if mayRead, watches[1].isReadable { try feed(connection) }
        }
        let line = lastLine.withUnsafeBytes { ServerLine($0) }
        guard let line, line.word == .bye else { throw .lost("the server closed the connection") }
        if line.kind != "OK" { throw Failure(.refused, "the server closed the connection: \(line.kind ?? "")") }
    }

    /// Hands on what was typed; at its end takes leave, so that the answers come first.
    private func feed(_ connection: Connection) throws(Failure) {
        let bytes: [UInt8]
        do {
            bytes = try FileBytes.chunk(InputLines.standardInput, atMost: 16_384)
        } catch {
            if error.isTryAgain { return }
            throw Failure(.usage, "standard input: \(error)")
        }
        guard let last = bytes.last else {
            inputEnded = true
            connection.queue(lastByte == 0x0A ? "BYE\n" : "\nBYE\n")
            connection.endOutput()
            return
        }
        lastByte = last
        connection.queue(bytes)
    }

    private func show(_ connection: Connection) throws(Failure) {
        while let line = try connection.nextLine() {
            lastLine = line
            if context.output.isTerminal {
                try context.output.line(VisibleText.block(String(decoding: line, as: UTF8.self), indent: ""))
            } else {
                try context.output.bytes(line + [0x0A])
            }
        }
        if connection.isEnded, !context.output.isTerminal {
            let rest = connection.takeInput()
            if !rest.isEmpty { try context.output.bytes(rest) }
        }
    }
}
