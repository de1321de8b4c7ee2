import Bytes
import ChatCore
import ChatModel
import ChatTesting
import Engine
import Wire

/// The engine with loops, clients, a journal and a clock that the test turns by hand: no thread, socket or file. What the
/// engine mails goes into real cursor tables, so that a client hears exactly the lines it would be sent.
final class Stage {
    let engine: Engine
    let limits: Limits
    let loopCount: Int
    /// The wall clock. Time passes by adding to it; to set it, use `setClock`.
    var now: Int64
    /// How far the wall clock is ahead of the monotonic one.
    private var shift: Int64 = 1_764_500_000_000 - 40 * 86_400_000
    /// Whether the engine gets the turns it wants for what takes several.
    var goesOn = true
    /// Whether clients read after each mail, not only after each turn.
    var readsEagerly = false
    /// Everything handed to the journal.
    private(set) var journal: [UInt8] = []
    /// All mail of each loop, in order.
    private(set) var mail: [[LoopMail]]
    private let clients: EngineClients
    private(set) var jobs: [PasswordJob] = []
    /// Searches that no worker has done yet.
    private(set) var searches: [SearchJob] = []
    init(
        loops: Int = 1,
        limits: Limits = Limits(),
        content: Content? = nil,
        backOff: SignInBackOff? = nil,
        seed: UInt64 = 1,
        now: Int64 = 1_764_500_000_000
    ) {
        (loopCount, self.limits, self.now) = (loops, limits, now)
        engine = Engine(
            content ?? Content(limits: limits),
            loopCount: loops,
            randomness: SeededRandomness(seed: seed),
            passwordCost: PasswordCost(n: 1024, p: 1),
            backOff: backOff,
            signLink: TestSigner.sign
        )
        mail = Array(repeating: [], count: loops)
        clients = EngineClients(loops: loops)
        engine.start(isInterval: false, now: Timestamp(milliseconds: now), monotonic: monotonic)
        end()
        sync()
    }

    var monotonic: MonotonicTime { MonotonicTime(milliseconds: now - shift) }

    /// Sets the wall clock ahead or back; no time passes.
    func setClock(by milliseconds: Int64) {
        now += milliseconds
        shift += milliseconds
    }

    // MARK: What clients do

    func connect(loop: Int = 0, source: String = "192.0.2.1") -> ConnectionKey {
        let key = clients.connect(loop: loop)
        handle(.opened(key, source: source))
        return key
    }

    func disconnect(_ key: ConnectionKey) {
        clients.disconnect(key)
        handle(.closed(key))
    }

    /// A client that has signed up and heard of it.
    func signUp(_ name: String, loop: Int = 0) -> ConnectionKey {
        let key = connect(loop: loop)
        _ = ask(key, "SIGNUP name=\(name) \(name)@example.test correct horse")
        return key
    }

    /// A further connection of an account made by `signUp`.
    func signIn(_ name: String, loop: Int = 0) -> ConnectionKey {
        let key = connect(loop: loop)
        _ = ask(key, "AUTH \(name) correct horse")
        return key
    }

    /// A request, and all that follows until nothing is pending: its reply's lines.
    func ask(_ key: ConnectionKey, _ line: String) -> [String] {
        _ = takeReplies(key)
        say(key, line)
        hashPasswords()
        search()
        sync()
        return takeReplies(key)
    }

    /// A request that is decided, and not yet durable.
    func say(_ key: ConnectionKey, _ line: String) { turn([(key, line)]) }

    /// UNREGISTER with the password that `signUp` gives, which no line can hold.
    func unregister(_ key: ConnectionKey) {
        let batch = RequestBatch()
        let command = Command.account(.unregister(password: Secret(Array("correct horse".utf8))))
        batch.requests.append(Request(connection: key, tag: .none, command: command))
        handle(.requests(batch))
        hashPasswords()
        sync()
    }

    /// Requests of one turn.
    func turn(_ lines: [(ConnectionKey, String)]) {
        engine.beginTurn(now: Timestamp(milliseconds: now), monotonic: monotonic)
        for (key, line) in lines { engine.handle(.requests(EngineClients.batch(key, line))) }
        end()
    }

    func takeReplies(_ key: ConnectionKey) -> [String] { clients.take(key, \.replies) }
    func takeEvents(_ key: ConnectionKey) -> [String] { clients.take(key, \.events) }
    func takeNotices(_ key: ConnectionKey) -> [String] { clients.take(key, \.notices) }
    /// Why the server ended this session.
    func ending(of key: ConnectionKey) -> String? { clients[key]?.ended }

    // MARK: What the world around does

    func handle(_ mail: EngineMail) {
        engine.beginTurn(now: Timestamp(milliseconds: now), monotonic: monotonic)
        engine.handle(mail)
        end()
    }

    /// The journal reports records up to `position`, or all of them, durable.
    func sync(through position: UInt64? = nil, onDisk: UInt64? = nil) {
        let position = position ?? engine.appended
        handle(.durable(position, synced: onDisk ?? position))
    }

    /// Answers all password jobs, with the password's bytes as its hash.
    func hashPasswords() {
        let waiting = jobs
        jobs = []
        for job in waiting {
            let outcome: PasswordResult.Outcome
            if let expected = job.expected {
                outcome = .matches(expected == job.password.bytes)
            } else {
                outcome = .hash(job.password.bytes)
            }
            handle(.hashed(PasswordResult(id: job.id, outcome: outcome)))
        }
    }

    /// A worker does all searches that are handed out, and those that follow them.
    func search() { while !searches.isEmpty { searchOnce() } }

    /// A worker does the search that was handed out first.
    func searchOnce() {
        var scratch = MessageFilter.Scratch()
        handle(.searched(searches.removeFirst().run(&scratch)))
    }

    /// The worker's part is the test's.
    func forgetSearches() { searches = [] }

    /// What the disk holds up to `last`.
    func recovered(through last: UInt64) throws -> Content {
        var content = Content(limits: limits)
        _ = try JournalledRecord.all(in: journal, applyingTo: &content, through: last)
        return content
    }

    var records: [JournalledRecord] {
        get throws {
            var content = Content(limits: limits)
            return try JournalledRecord.all(in: journal, applyingTo: &content, through: .max)
        }
    }

    /// The journal fails behind what is durable, and the disk is read again.
    func failJournal() throws {
        let recovered = Recovered(try recovered(through: engine.durable))
        handle(.journalFailed(reason: "no space left", recovered: recovered))
    }

    /// A connection to the control socket.
    func operatorConnection() -> ConnectionKey {
        let key = connect()
        handle(.operatorOpened(key, uid: 0))
        return key
    }

    /// The host opens the journal again if it was asked to, or cannot.
    /// - Returns: false when it was not asked.
    func resume(failing reason: String? = nil) throws -> Bool {
        guard engine.mustResume else { return false }
        engine.mustResume = false
        if let reason {
            handle(.journalResumed(.failed(reason)))
            return true
        }
        let recovered = engine.isBlind ? Recovered(try recovered(through: engine.durable)) : nil
        journal = try JournalledRecord.beginning(of: journal, through: engine.durable)
        handle(.journalResumed(.resumed(recovered)))
        sync()
        return true
    }

    var tables: [CursorTable] { clients.tables }

    // MARK: The turn's end

    private func end() {
        for job in engine.takeOperatorJobs() { engine.carryOut(job) }
        engine.endTurn()
        journal.append(contentsOf: engine.journalBatch.readable)
        engine.journalBatch.clear()
        jobs += engine.passwordJobs
        engine.passwordJobs.removeAll()
        searches += engine.searchJobs
        engine.searchJobs.removeAll()
        for loop in 0..<loopCount {
            var new = ContiguousArray<LoopMail>()
            engine.takeMail(for: loop, into: &new)
            for item in new {
                clients.deliver(item, loop)
                if readsEagerly { clients.gather() }
            }
            mail[loop] += new
        }
        clients.gather()
        if goesOn, engine.wantsTurn { handle(.goOn) }
    }
}

/// The seqs of lines, or -1 where there is none.
func seqs(_ lines: [String]) -> [Int] { lines.map { Int($0.field("seq")) ?? -1 } }

extension String {
    /// The value of a bare `key=` in a server line; empty when there is none.
    func field(_ key: String) -> String {
        for word in split(separator: " " as Character) where word.hasPrefix(key + "=") {
            return String(word.dropFirst(key.count + 1))
        }
        return ""
    }
}
