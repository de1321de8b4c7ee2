import BlobFrontEnd
import ChatModel
import Engine
import Glibc
import LineFrontEnd
import Persistence
import Storage
import Synchronization
import SystemIO
import TLS
import Transport
import Wire

/// The daemon: wires everything up, serves until it is told to stop.
struct Daemon {
    let settings: Settings
    let log: Log
    let dataPath: String

    /// Kinds of listeners, as `EventLoop.handle` knows them.
    private enum Kind {
        static let chat = 0
        static let blobs = 1
    }

    /// SIGHUP is taken so that a closed terminal does not end the daemon.
    private static let signals = [SIGTERM, SIGINT, SIGHUP]

    /// Serves until SIGTERM or SIGINT.
    /// - Throws: `Failure` with its exit code.
    func serve() throws(Failure) {
        Signals.ignoreWriteSignals()
        Signals.block(Self.signals)
        Signals.raiseDescriptorLimit()
        let directory = try openDirectory()
        let identity = try loadIdentity(directory)
        let switchboard = try system { () throws(Errno) in try Switchboard(loopCount: settings.loopCount) }
        let journal = makeJournal(directory, switchboard)
        let engine = try recover(journal)
        let workers = PasswordWorkers(count: max(1, Machine.cpuCount / 2)) { result in
            switchboard.engine.post(.hashed(result))
        }
        let blobs = BlobService(directory, engine, switchboard, log)
        let host = EngineHost(
            engine: engine,
            journal: journal,
            switchboard: switchboard,
            workers: workers,
            blobs: blobs.writer,
            undurableLimit: settings.limits.undurable
        )
        let ports = try Ports(settings)
        let line = lineSettings(engine, ports)
        engine.blobsURL = blobsURL(ports)
        // The first records are on disk before anybody can connect.
        host.engine.start(
            isInterval: settings.durability == .interval,
            now: Timestamp(milliseconds: Clock.milliseconds)
        )
        host.finish()
        host.flushJournal()
        try run(host, switchboard, TLSSlot(identity), line, engine.nonceKey, ports, blobs) {
            announce(ports, directory, identity)
        }
        host.stop()
        log.info("fcd", "stopped")
        withExtendedLifetime(directory) {}
    }

    private func openDirectory() throws(Failure) -> DataDirectory {
        do throws(DataDirectory.Fault) {
            return try DataDirectory(dataPath)
        } catch {
            if case .inUse = error { throw .inUse(error.description) }
            throw .running(error.description)
        }
    }

    private func loadIdentity(_ directory: DataDirectory) throws(Failure) -> TLSContext {
        do throws(TLSFailure) {
            let context = try Identity.load(settings, in: directory)
            if let left = context.secondsUntilExpiry, left < 14 * 86_400 {
                log.warning("tls", "the certificate expires soon", ["days": String(left / 86_400)])
            }
            return context
        } catch {
            throw .configuration(error.description)
        }
    }

    private func makeJournal(_ directory: DataDirectory, _ switchboard: Switchboard) -> FileJournal {
        var journalSettings = JournalSettings()
        if settings.durability == .interval { journalSettings.durability = .interval(seconds: 1) }
        let limits = settings.coreLimits
        let log = self.log
        let link = JournalLink()
        let journal = FileJournal(
            directory: directory.journal,
            settings: journalSettings,
            onDurable: { durable in
                let synced = link.journal?.synced ?? 0
                switchboard.engine.post(.durable(durable, synced: synced))
            },
            onFailure: { fault in
                log.error("journal", "nothing is written any more; reads go on", ["reason": fault.description])
                var recovered: Recovered?
                if let journal = link.journal,
                    let found = try? Recovery.content(of: journal, limits: limits, through: journal.durable)
                {
                    recovered = Recovered(found.0)
                }
                switchboard.engine.post(.journalFailed(reason: fault.description, recovered: recovered))
            }
        )
        link.set(journal)
        return journal
    }

    private func recover(_ journal: FileJournal) throws(Failure) -> Engine {
        do throws(JournalFault) {
            let (content, replay) = try Recovery.content(of: journal, limits: settings.coreLimits)
            if let cut = replay.cut {
                log.warning(
                    "journal",
                    "an unfinished tail was cut off; nothing in it was acknowledged",
                    ["file": cut.file, "offset": String(cut.offset), "bytes": String(cut.byteCount)]
                )
            }
            return Engine(
                content,
                loopCount: settings.loopCount,
                randomness: SystemRandomness(),
                passwordCost: PasswordCost(n: UInt32(settings.auth.scryptN), p: UInt32(settings.auth.scryptP)),
                backOff: settings.limits.rate
                    ? SignInBackOff(free: settings.limits.signIns, longestSeconds: settings.limits.signInWait) : nil,
                memoryLimit: Machine.memoryBytes / 100 * UInt64(settings.limits.memory)
            )
        } catch {
            switch error {
            case .damage, .newerFormat: throw .damaged(error.description)
            case .system: throw .running(error.description)
            }
        }
    }

    private func lineSettings(_ engine: Engine, _ ports: Ports) -> LineSettings {
        var line = LineSettings()
        line.lineLimit = settings.limits.line
        line.inFlightLimit = settings.limits.inFlight
        line.replyLimit = settings.limits.replies
        line.signInSeconds = UInt64(settings.limits.signInTime)
        line.blobLimit = UInt64(settings.limits.blob)
        let ways = settings.auth.anonymous ? "password,token,anonymous" : "password,token"
        line.greeting = { logID in
            [
                .word("server", "fcd/1.0"), .number("proto", 1), .word("log", logID),
                .number("line", settings.limits.line), .number("text", settings.limits.text),
                .number("blob", settings.limits.blob),
                .word("blobs", blobsURL(ports)), .word("auth", ways),
                .word("durability", settings.durability.rawValue),
            ]
        }
        return line
    }

    /// The blob port as clients are told of it.
    private func blobsURL(_ ports: Ports) -> String { settings.blobs.url ?? "https://\(ports.blobs.address)" }

    /// Starts the loops, and serves on this thread as loop 0.
    private func run(
        _ host: EngineHost,
        _ switchboard: Switchboard,
        _ tls: TLSSlot,
        _ line: LineSettings,
        _ nonceKey: [UInt8],
        _ ports: Ports,
        _ blobs: BlobService,
        ready: () -> Void
    ) throws(Failure) {
        let log = self.log
        var transport = TransportSettings()
        transport.stallMilliseconds = settings.limits.stall * 1000
        transport.handshakeSeconds = min(settings.limits.handshakeTime, settings.limits.signInTime)
        transport.handshakesPerTurn = settings.limits.handshakes
        transport.onIncident = { log.warning("transport", "incident", ["what": $0]) }
        let hashers = Hashers(
            nonce: { KeyedHash.hash($0, key: nonceKey) },
            token: { TokenHash(SHA256Digest.of($0)) }
        )
        let logID = host.engine.logID
        var intakes: [LoopIntake] = []
        for _ in 0..<settings.loopCount {
            intakes.append(try system { () throws(Errno) in try LoopIntake() })
        }
        let makeLoop: @Sendable (Int, EngineHost?) throws(Errno) -> (EventLoop, DaemonLoop) = {
            [transport, intakes] index, host throws(Errno) in
            let loop = try EventLoop(index: index, settings: transport, tls: tls, intake: intakes[index])
            var own = line
            own.logID = logID
            let front = LineFrontEnd(loop: index, settings: own, parser: CommandParser(hashers: hashers))
            front.isThrottled = { switchboard.isThrottled.load(ordering: .relaxed) }
            loop.handle(kind: Kind.chat, by: front)
            let port = blobs.frontEnd(loop: index, beside: front, hashers)
            loop.handle(kind: Kind.blobs, by: port)
            loop.watch(switchboard.loops[index].wakeUp)
            return (loop, DaemonLoop(index: index, front: front, blobs: port, switchboard: switchboard, host: host))
        }
        let threads = (1..<max(1, settings.loopCount)).map { index in
            SystemIO.Thread(name: "loop-\(index)") {
                guard let (loop, driver) = try? makeLoop(index, nil) else {
                    log.error("transport", "a loop cannot start")
                    return
                }
                loop.run(driver)
            }
        }
        let engineThread: EngineThread?
        if settings.engineHasThread {
            engineThread = try system { () throws(Errno) in try EngineThread(host, switchboard) }
        } else {
            engineThread = nil
        }
        let (loop, driver) = try system { () throws(Errno) in try makeLoop(0, engineThread == nil ? host : nil) }
        if engineThread == nil { loop.watch(switchboard.engine.wakeUp) }
        loop.wantsTicks = true
        try watchSignals(loop, switchboard)
        for listener in ports.all { loop.listen(on: listener, sharedWith: Array(intakes.dropFirst())) }
        ready()
        loop.run(driver)
        for thread in threads { thread.join() }
        engineThread?.join()
    }

    private func watchSignals(_ loop: EventLoop, _ switchboard: Switchboard) throws(Failure) {
        let log = self.log
        let descriptor = try system { () throws(Errno) in try Signals.descriptor(Self.signals) }
        loop.watch(descriptor: descriptor) {
            while let signal = Signals.next(descriptor) {
                if signal == SIGHUP {
                    log.warning("fcd", "settings and certificate are read at start only; nothing was reloaded")
                    continue
                }
                if switchboard.isStopping.exchange(true, ordering: .relaxed) { _exit(1) }
                log.info("fcd", "stopping")
                for mailbox in switchboard.loops { mailbox.post(.shutDown) }
            }
        }
    }

    /// READY on standard output, and a greeting for a person at a terminal.
    private func announce(_ ports: Ports, _ directory: DataDirectory, _ identity: TLSContext) {
        let chat = ports.chat.map(\.address).joined(separator: ",")
        let line =
            "READY chat=\(chat) plain=\(ports.plain?.address ?? "none") blobs=\(ports.blobs.address)"
            + " control=\(dataPath)/control.sock cert-sha256=\(identity.fingerprint ?? "none")\n"
        Output.write(line, to: STDOUT_FILENO)
        if isatty(STDERR_FILENO) == 1, let first = ports.chat.first(where: { !$0.address.hasPrefix("unix:") }) {
            Output.write(Greeting.text(chat: first.address), to: STDERR_FILENO)
        }
    }

    private func system<Result>(_ body: () throws(Errno) -> Result) throws(Failure) -> Result {
        do throws(Errno) { return try body() } catch { throw .running(error.description) }
    }
}
