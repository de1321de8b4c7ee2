import SystemIO

extension BenchRun {
    /// One thing the server says to `connection`.
    @inline(__always)
    func take(_ notice: Notice, of connection: BenchConnection, _ now: UInt64) {
        guard connection.state == .ready, case .delivery(let payload) = notice else {
            return takeOther(notice, of: connection, now)
        }
        guard connection.index < options.mode.subscriberCount, let payload else { return workload.foundForeign() }
        if workload.delivered(payload, to: connection.index, at: now) { reopened.append(Int(payload.publisher)) }
    }

    private func takeOther(_ notice: Notice, of connection: BenchConnection, _ now: UInt64) {
        switch notice {
        case .ping(let word):
            adapter.pong(word).withUnsafeBytes { connection.append($0) }
            answered = true
        case .acknowledgement(let sequence):
            guard connection.state == .ready, let publisher = options.mode.publisher(ofConnection: connection.index)
            else { return }
            workload.acknowledge(publisher, sequence: sequence, at: now)
            if options.mode.subscribersPerRoom == 0 { reopened.append(publisher) }
        case .refusal(let line), .farewell(let line):
            if connection.state == .settingUp { return connection.close(Self.text(line)) }
            if case .refusal = notice { refused += 1 }
            note("connection \(connection.index): \(Self.text(line))")
        case .welcome where connection.state == .settingUp:
            connection.append(adapter.entering(options.seat(connection.index)))
            answered = true
        case .ready where connection.state == .settingUp: ready(connection)
        // Messages of others while it gets ready, and what was not asked for.
        case .delivery, .welcome, .ready: break
        }
    }

    /// Who stalls takes nothing from now on.
    private func ready(_ connection: BenchConnection) {
        connection.state = .ready
        if options.mode.isStalled(connection.index) { poller.remove(connection.number) }
    }

    /// The printable part of a line, for the person.
    private static func text(_ line: UnsafeRawBufferPointer) -> String {
        String(decoding: line.prefix(300).filter { $0 >= 0x20 }, as: UTF8.self)
    }
}
