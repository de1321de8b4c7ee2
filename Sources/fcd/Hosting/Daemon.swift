import BlobFrontEnd
import ChatModel
import Engine
import Glibc
import LineFrontEnd
import OperatorFrontEnd
import Persistence
import Storage
import Synchronization
import SystemIO
import TLS
import Transport
import Wire

/// The daemon: wires everything up, serves until it is told to stop.
struct Daemon {
    let loaded: LoadedSettings
    let sources: SettingSources
    let log: Log
    let dataPath: String
    private let manager = ServiceManager()

    init(_ loaded: LoadedSettings, from sources: SettingSources, log: Log, dataPath: String) {
        (self.loaded, self.sources, self.log, self.dataPath) = (loaded, sources, log, dataPath)
    }

    var settings: Settings { loaded.settings }

    /// Kinds of listeners, as `EventLoop.handle` knows them.
    private enum Kind {
        static let chat = 0
        static let blobs = 1
    }

    /// SIGHUP reads settings and certificate again.
    private static let signals = [SIGTERM, SIGINT, SIGHUP]

    /// Serves until SIGTERM or SIGINT.
    /// - Throws: `Failure` with its exit code.
    func serve() throws(Failure) {
        Signals.ignoreWriteSignals()
        Signals.block(Self.signals)
        Signals.raiseDescriptorLimit()
        RecordBuffers.keep()
        if let trouble = NameFolding.trouble { throw .running(trouble) }
        let directory = try openDirectory()
        let identity = try loadIdentity(directory)
        let switchboard = try system { () throws(Errno) in try Switchboard(loopCount: settings.loopCount) }
        let recovery = Recovery(
            snapshot: SnapshotFiles(directory: directory.snapshot) { SHA256Stream() },
            limits: settings.coreLimits
        )
        let manifest = try undamaged { () throws(JournalFault) in
            try recovery.manifest(journalDirectory: directory.journal)
        }
        let isChanging = Lock(())
        let rescue = JournalRescue(recovery, directory: directory.journal, isChanging: isChanging, log: log) {
            switchboard.engine.post($0)
        }
        let journalSettings = try undamaged { () throws(JournalFault) in
            try recovery.journalSettings(manifest, data: Directory(directory.path))
        }
        let journal = makeJournal(directory, journalSettings, switchboard, rescue)
        let (engine, journalBytes) = try recover(journal, recovery, manifest)
        let snapshots = try makeSnapshotWriter(directory, switchboard, manifest, journal, isChanging)
        let workers = PasswordWorkers(count: max(1, Machine.cpuCount / 2)) { result in
            switchboard.engine.post(.hashed(result))
        }
        engine.searchWorkerCount = max(1, Machine.cpuCount / 4)
        let searchers = SearchWorkers(count: engine.searchWorkerCount) { switchboard.engine.post(.searched($0)) }
        let blobs = BlobService(directory, engine, switchboard, log)
        let host = EngineHost(
            engine: engine,
            journal: journal,
            switchboard: switchboard,
            workers: workers,
            searchers: searchers,
            blobs: blobs.writer,
            undurableLimit: settings.limits.undurable,
            snapshots: snapshots,
            rescue: rescue,
            schedule: SnapshotSchedule(settings.snapshot, bytes: journalBytes, now: .now)
        )
        let ports = try Ports(settings)
        let control = try ControlSocket.listen(in: directory)
        let keeper = makeKeeper(engine, ports)
        let line = lineSettings(keeper.settings, ports)
        let slot = TLSSlot(identity)
        let reloader = Reloader(keeper, directory, slot, identity, log)
        host.operatorFront = makeOperator(keeper, reloader, directory)
        reloader.look(atSeconds: Clock.monotonicNanoseconds / 1_000_000_000)
        engine.blobsURL = blobsURL(ports)
        // The first records are on disk before anybody can connect.
        let isNew = host.engine.start(
            isInterval: settings.durability == .interval,
            now: .wallClock,
            monotonic: .now
        )
        engine.configure(keeper.current(log: engine.logID).live, changed: [])
        host.finishStart()
        if isNew, let reason = host.engine.readOnlyReason { throw .running("the journal cannot be begun: \(reason)") }
        // Starting takes buffers that serving does not: for keys, for the journal.
        Machine.giveBackFreedMemory()
        try run(host, switchboard, reloader, slot, line, ports, control, blobs) {
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
            return try Identity.load(settings, in: directory.tls)
        } catch {
            throw .configuration(error.description)
        }
    }

    private func makeJournal(
        _ directory: DataDirectory,
        _ found: JournalSettings,
        _ switchboard: Switchboard,
        _ rescue: JournalRescue
    ) -> FileJournal {
        var journalSettings = found
        if settings.durability == .interval { journalSettings.durability = .interval(seconds: 1) }
        let journal = FileJournal(
            directory: directory.journal,
            settings: journalSettings,
            onDurable: { durable in
                switchboard.engine.post(.durable(durable, synced: rescue.journal?.synced ?? 0))
            },
            onFailure: { rescue.failed($0) }
        )
        rescue.watch(journal)
        return journal
    }

    private func undamaged<Result>(_ body: () throws(JournalFault) -> Result) throws(Failure) -> Result {
        do throws(JournalFault) { return try body() } catch {
            switch error {
            case .damage, .newerFormat: throw .damaged(error.description)
            case .system: throw .running(error.description)
            }
        }
    }

    private func makeSnapshotWriter(
        _ directory: DataDirectory,
        _ switchboard: Switchboard,
        _ manifest: SnapshotManifest?,
        _ journal: FileJournal,
        _ isChanging: Lock<Void>
    ) throws(Failure) -> SnapshotWriter {
        let store = SnapshotStore(directory: directory.snapshot, manifest: manifest) { SHA256Stream() }
        do throws(JournalFault) { try store.removeLeftovers() } catch { throw .running(error.description) }
        let scribe = SnapshotScribe(
            store,
            journal: journal,
            journalDirectory: directory.journal,
            isChanging: isChanging
        )
        return SnapshotWriter(scribe, log: log) { switchboard.engine.post($0) }
    }

    private func recover(
        _ journal: FileJournal,
        _ recovery: Recovery,
        _ manifest: SnapshotManifest?
    ) throws(Failure) -> (Engine, journalBytes: UInt64) {
        try undamaged { () throws(JournalFault) in
            let found = try recovery.content(manifest, journal)
            if let cut = found.replay.cut {
                log.warning(
                    "journal",
                    "an unfinished tail was cut off; nothing in it was acknowledged",
                    ["file": cut.file, "offset": String(cut.offset), "bytes": String(cut.byteCount)]
                )
            }
            let engine = Engine(
                found.content,
                loopCount: settings.loopCount,
                randomness: SystemRandomness(),
                passwordCost: PasswordCost(n: UInt32(settings.auth.scryptN), p: UInt32(settings.auth.scryptP)),
                backOff: settings.backOff,
                memoryLimit: Machine.memoryBytes / 100 * UInt64(settings.limits.memory),
                signLink: LinkSigner.sign
            )
            return (engine, found.journalBytes)
        }
    }

    private func makeKeeper(_ engine: Engine, _ ports: Ports) -> SettingsKeeper {
        SettingsKeeper(loaded, from: sources, recorded: engine.recordedSettings, log: log) { settings, logID in
            Self.greeting(settings, logID, ports)
        }
    }

    private func makeOperator(
        _ keeper: SettingsKeeper,
        _ reloader: Reloader,
        _ directory: DataDirectory
    ) -> OperatorFrontEnd {
        let log = self.log
        let started = Clock.monotonicNanoseconds
        let (durability, memory) = (settings.durability, settings.limits.memory)
        return OperatorFrontEnd(
            settings: keeper,
            audit: AuditLog(path: directory.path + "/audit.log"),
            facts: {
                let uptime = (Clock.monotonicNanoseconds - started) / 1_000_000_000
                return [
                    .word("version", Help.number), .number("uptime", uptime),
                    .number("pid", UInt64(clamping: CurrentProcess.identifier)),
                    .word("durability", durability.rawValue), .number("memory.resident", Machine.residentBytes),
                    .number("memory.limit", Machine.memoryBytes / 100 * UInt64(memory)),
                ] + reloader.facts
            },
            onAuditFailure: { log.error("operator", "audit.log cannot be written", ["reason": $0.description]) }
        )
    }

    private static func greeting(_ settings: Settings, _ logID: String, _ ports: Ports) -> [KeyValue] {
        [
            .word("server", "fcd/" + Help.number), .number("proto", 1), .word("log", logID),
            .number("line", settings.limits.line), .number("text", settings.limits.text),
            .number("blob", settings.limits.blob),
            .word("blobs", settings.blobs.url ?? "https://\(ports.blobs.address)"),
            .word("auth", settings.auth.anonymous ? "password,token,anonymous" : "password,token"),
            .word("durability", settings.durability.rawValue),
        ]
    }

    private func lineSettings(_ settings: Settings, _ ports: Ports) -> LineSettings {
        var line = LineSettings()
        line.operatorListener = ControlSocket.listener
        line.isOperator = ControlSocket.mayEnter
        line.lineLimit = settings.limits.line
        line.inFlightLimit = settings.limits.inFlight
        line.replyLimit = settings.limits.replies
        line.signInSeconds = UInt64(settings.limits.signInTime)
        line.greeting = { Self.greeting(settings, $0, ports) }
        line.blobLimit = UInt64(settings.limits.blob)
        return line
    }

    /// The blob port as clients are told of it.
    private func blobsURL(_ ports: Ports) -> String { settings.blobs.url ?? "https://\(ports.blobs.address)" }

    /// Starts the loops, and serves on this thread as loop 0.
    private func run(
        _ host: EngineHost,
        _ switchboard: Switchboard,
        _ reloader: Reloader,
        _ tls: TLSSlot,
        _ line: LineSettings,
        _ ports: Ports,
        _ control: Listener,
        _ blobs: BlobService,
        ready: () -> Void
    ) throws(Failure) {
        let log = self.log
        var transport = TransportSettings()
        transport.stallMilliseconds = settings.limits.stall * 1000
        transport.handshakeSeconds = min(settings.limits.handshakeTime, settings.limits.signInTime)
        transport.handshakesPerTurn = settings.limits.handshakes
        transport.onIncident = { log.warning("transport", "incident", ["what": $0]) }
        let nonceKey = host.engine.nonceKey
        let hashers = Hashers(
            nonce: { KeyedHash.hash($0, key: nonceKey) },
            token: { TokenHash(SHA256Digest.of($0)) }
        )
        let logID = host.engine.logID
        let bans = host.engine.bannedAddresses
        var intakes: [LoopIntake] = []
        for _ in 0..<settings.loopCount {
            intakes.append(try system { () throws(Errno) in try LoopIntake() })
        }
        let started = Clock.monotonicNanoseconds
        let metrics: @Sendable (EngineMetrics) -> String = { [intakes] metrics in
            MetricsPage(
                metrics,
                MetricsPage.Process(
                    version: Help.number,
                    uptimeSeconds: (Clock.monotonicNanoseconds - started) / 1_000_000_000,
                    residentBytes: Machine.residentBytes,
                    connections: intakes.reduce(0) { $0 + $1.connectionCount },
                    slowTurns: intakes.reduce(0) { $0 + $1.longTurns }
                )
            ).text
        }
        let makeLoop: @Sendable (Int, EngineHost?) throws(Errno) -> (EventLoop, DaemonLoop) = {
            [transport, intakes] index, host throws(Errno) in
            let loop = try EventLoop(index: index, settings: transport, tls: tls, intake: intakes[index])
            var own = line
            own.logID = logID
            let front = LineFrontEnd(
                loop: index,
                settings: own,
                parser: CommandParser(hashers: hashers),
                isThrottled: { switchboard.isThrottled.load(ordering: .relaxed) }
            )
            loop.handle(kind: Kind.chat, by: front)
            let port = blobs.frontEnd(loop: index, beside: front, hashers, metrics: metrics)
            loop.handle(kind: Kind.blobs, by: port)
            loop.watch(switchboard.loops[index].wakeUp)
            for prefix in bans.compactMap(NetworkPrefix.init) { loop.ban(prefix) }
            front.addressBans = { [unowned loop] prefix, isOn in
                if let prefix = NetworkPrefix(prefix) { loop.ban(prefix, isOn: isOn) }
            }
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
        driver.onTick = { reloader.look(atSeconds: $0) }
        try watchSignals(loop, switchboard, reloader)
        for listener in ports.all { loop.listen(on: listener, sharedWith: Array(intakes.dropFirst())) }
        loop.listen(on: control, sharedWith: [])
        ready()
        loop.run(driver)
        for thread in threads { thread.join() }
        engineThread?.join()
    }

    private func watchSignals(
        _ loop: EventLoop,
        _ switchboard: Switchboard,
        _ reloader: Reloader
    ) throws(Failure) {
        let (log, manager) = (self.log, self.manager)
        let descriptor = try system { () throws(Errno) in try Signals.descriptor(Self.signals) }
        loop.watch(descriptor: descriptor) {
            while let signal = Signals.next(descriptor) {
                if signal == SIGHUP {
                    manager?.tell("RELOADING=1\nMONOTONIC_USEC=\(Clock.monotonicNanoseconds / 1000)")
                    if reloader.reload() { switchboard.engine.post(.settingsChanged) }
                    manager?.tell("READY=1")
                    continue
                }
                if switchboard.isStopping.exchange(true, ordering: .relaxed) { _exit(1) }
                log.info("fcd", "stopping")
                manager?.tell("STOPPING=1")
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
        manager?.tell("READY=1")
        if isatty(STDERR_FILENO) == 1, let first = ports.chat.first(where: { !$0.address.hasPrefix("unix:") }) {
            Output.write(Greeting.text(chat: first.address), to: STDERR_FILENO)
        }
    }

    private func system<Result>(_ body: () throws(Errno) -> Result) throws(Failure) -> Result {
        do throws(Errno) { return try body() } catch { throw .running(error.description) }
    }
}
