import ChatClient
import SystemIO
import Wire

/// What every command works with: the command line, the profile, and ways to reach people and the server.
struct Context {
    let invocation: Invocation
    let store: ProfileStore
    let waiter: Waiter
    let output: Output
    let passwords: PasswordSource
    /// As loaded at the start.
    let profile: Profile
    let endpoint: Endpoint
    /// Whether the profile is about this endpoint, so that its pin and token belong to it.
    let isAtHome: Bool

    init(
        _ invocation: Invocation,
        environment: [String: String],
        interrupts: Interrupts? = nil,
        attendant: (any Attendant)? = nil
    ) throws(Failure) {
        self.invocation = invocation
        store = try ProfileStore(name: invocation.profile, environment: environment)
        waiter = Waiter(interrupts: interrupts, attendant: attendant)
        output = Output(waiter: waiter, isQuiet: invocation.isQuiet)
        passwords = PasswordSource(
            file: invocation.passwordFile,
            newFile: invocation.newPasswordFile,
            environment: environment["FCC_PASSWORD"]
        )
        profile = try store.load()
        endpoint = invocation.server ?? profile.endpoint ?? .standard
        isAtHome = profile.endpoint == endpoint
    }

    /// Connects, judges the certificate and waits for the greeting.
    /// - Parameter known: the pin to judge by; afterwards the one that was accepted.
    func connect(known: inout Fingerprint?) throws(Failure) -> Session {
        try Session(greeting: try connectRaw(known: &known))
    }

    /// The same without waiting for the greeting.
    ///
    /// After a question to the person the connection is made anew, because the server waits only a minute for a sign-in.
    func connectRaw(known: inout Fingerprint?) throws(Failure) -> Connection {
        if let connection = try judged(known: &known) { return connection }
        let accepted = known
        guard let connection = try judged(known: &known), connection.fingerprint == accepted else {
            throw Failure(.certificate, "the server changed its certificate between two connections")
        }
        return connection
    }

    /// Connects and judges the certificate; nil when the person had to be asked about it, and accepted it.
    func judged(known: inout Fingerprint?) throws(Failure) -> Connection? {
        let connection = try Connection.open(endpoint, waiter: waiter)
        let judge = PinJudge(endpoint: endpoint, named: invocation.fingerprint)
        let wasAsked = try judge.accepts(connection.fingerprint, known: known)
        known = connection.fingerprint
        return wasAsked ? nil : connection
    }

    /// The pin of the profile, when it is about this server.
    var pin: Fingerprint? { isAtHome ? profile.fingerprint : nil }

    /// A session without sign-in.
    func greeted() throws(Failure) -> Session {
        var known = pin
        let session = try connect(known: &known)
        try remember(known)
        return session
    }

    /// Remembers a pin learned on the way, unless the profile is about another server.
    func remember(_ known: Fingerprint?) throws(Failure) {
        guard known != pin, isAtHome || profile.server == nil else { return }
        var changed = profile
        changed.server = "\(endpoint)"
        changed.pin = known.map { "\($0)" }
        try store.save(changed)
        output.note("the certificate of \(endpoint) is known from now on")
    }

    /// The token of who is signed in here.
    /// - Throws: `Failure` when nobody is.
    func token() throws(Failure) -> String {
        guard isAtHome, let token = profile.token else {
            let other =
                profile.token != nil ? " (profile \(invocation.profile) is signed in at \(profile.server ?? "?"))" : ""
            throw Failure(
                .notSignedIn,
                "not signed in at \(endpoint)\(other); first: fcc login NAME, or fcc signup EMAIL"
            )
        }
        return token
    }

    /// A session signed in with the profile's token, and the reply to that.
    func signedIn() throws(Failure) -> (session: Session, user: String) {
        let token = try token()
        let session = try greeted()
        do {
            let reply = try session.perform(Request(fixed: "AUTH", options: [.init("token", token)]))
            return (session, reply.end["user"] ?? profile.user ?? "")
        } catch {
            guard error.code == .refused, !error.isTemporary else { throw error }
            throw Failure(.notSignedIn, "the session has ended (\(error.text ?? "")); sign in again: fcc login NAME")
        }
    }

    /// The way messages are shown on this standard output.
    func formatter(namesConversation: Bool) -> MessageFormatter {
        var formatter = MessageFormatter(
            namesConversation: namesConversation,
            isolates: output.isTerminal,
            clock: WallClock.local,
            now: { Clock.milliseconds }
        )
        formatter.showsNumbers = invocation.showsNumbers
        return formatter
    }

    /// Runs `body`, whose only way to fail is a word of the person that makes no request.
    func request<Result>(_ body: () throws(Request.Fault) -> Result) throws(Failure) -> Result {
        do {
            return try body()
        } catch {
            throw Failure(error)
        }
    }
}
