/// A connection to the blob port for tests: sends raw bytes, reads answers strictly. Blocks its thread, never past a
/// deadline; used by one thread at a time.
package final class HTTPClient: @unchecked Sendable {
    private let socket: LineSocket
    private var buffer: [UInt8] = []
    private var scratch: [UInt8]
    /// Seconds that reads wait at most.
    package var patience: Double = 15

    /// - Parameter readSize: bytes asked for at a time.
    package init(
        port: UInt16,
        isSecure: Bool = true,
        receiveBuffer: Int32? = nil,
        readSize: Int = 65_536
    ) throws(ClientFailure) {
        socket = try LineSocket(port: port, secure: isSecure, receiveBuffer: receiveBuffer, within: 15)
        scratch = [UInt8](repeating: 0, count: readSize)
    }

    /// Sends these bytes as they are.
    package func send(_ bytes: some Sequence<UInt8>) throws(ClientFailure) {
        let all = Array(bytes)
        guard try socket.write(all, until: monotonicSeconds() + patience) == all.count else {
            throw .timedOut("room to write")
        }
    }

    package func send(_ text: String) throws(ClientFailure) { try send(text.utf8) }

    /// The next answer; `hasBody` is false for one to HEAD.
    package func answer(hasBody: Bool = true) throws(ClientFailure) -> HTTPAnswer {
        let end = monotonicSeconds() + patience
        while Self.headEnd(buffer) == nil { try fill(until: end) }
        let headEnd = Self.headEnd(buffer) ?? 0
        let lines = String(decoding: buffer[..<headEnd], as: UTF8.self).split(separator: "\r\n")
        let words = (lines.first ?? "").split(separator: " ", maxSplits: 2)
        guard words.count == 3, words[0] == "HTTP/1.1", let status = Int(words[1]) else {
            throw .outOfPlace("no status line: \(lines.first ?? "")")
        }
        var fields: [(name: String, value: String)] = []
        for line in lines.dropFirst() {
            guard let colon = line.firstIndex(of: ":"), !line.contains("\n"), !line.contains("\r") else {
                throw .outOfPlace("no field: \(line)")
            }
            let value = line[line.index(after: colon)...].drop { $0 == " " }
            fields.append((line[..<colon].lowercased(), String(value)))
        }
        buffer.removeFirst(headEnd + 4)
        let lengths = fields.filter { $0.name == "content-length" }.compactMap { Int($0.value) }
        guard lengths.count == ([100, 204, 304].contains(status) ? 0 : 1) else {
            throw .outOfPlace("Content-Length: \(lengths)")
        }
        let count = hasBody ? lengths.first ?? 0 : 0
        while buffer.count < count { try fill(until: monotonicSeconds() + patience) }
        defer { buffer.removeFirst(count) }
        return HTTPAnswer(status: status, fields: fields, body: Array(buffer[..<count]))
    }

    /// Everything until the server ends the stream.
    package func rest() throws(ClientFailure) -> [UInt8] {
        let end = monotonicSeconds() + patience
        do { while true { try fill(until: end) } } catch {
            guard error.isLoss else { throw error }
            return buffer
        }
    }

    /// Takes what comes of a body, at most `readSize` bytes, and forgets it; the number of bytes.
    package func drop() throws(ClientFailure) -> Int {
        if buffer.isEmpty { try fill(until: monotonicSeconds() + patience) }
        defer { buffer = [] }
        return buffer.count
    }

    package func halfClose() { socket.halfClose() }
    package func close() { socket.close() }

    private func fill(until end: Double) throws(ClientFailure) {
        let count = try socket.read(into: &scratch, until: end, for: "an answer")
        if count == 0 { throw .ended(rest: String(decoding: buffer.prefix(200), as: UTF8.self)) }
        buffer.append(contentsOf: scratch[..<count])
    }

    private static func headEnd(_ bytes: [UInt8]) -> Int? {
        guard bytes.count >= 4 else { return nil }
        return bytes.indices.dropLast(3).first { bytes[$0] == 13 && bytes[$0...].starts(with: [13, 10, 13, 10]) }
    }
}
