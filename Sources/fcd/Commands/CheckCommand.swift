import ChatCore
import ChatModel
import Engine
import Glibc
import Storage
import SystemIO
import TLS
import Wire

/// `fcd check`: reads configuration, certificate and data, changes nothing, and says what it found.
struct CheckCommand {
    private let request: CommandRequest
    let path: String

    init(_ request: CommandRequest) { (self.request, path) = (request, request.serve.dataDirectory) }

    /// - Throws: `Failure` with the first fault: exit code 2 for configuration and certificate, 4 for damaged data.
    func run() throws(Failure) -> Int32 {
        let loaded: LoadedSettings
        do throws(UsageFault) { loaded = try request.serve.sources.load() } catch {
            throw .configuration(error.description)
        }
        say(
            "settings",
            "sound",
            loaded.withoutEffect.isEmpty ? "" : "without effect yet: \(loaded.withoutEffect.joined(separator: ","))"
        )
        if access(path, F_OK) != 0 {
            try checkCertificate(loaded.settings)
            say("data", "none", "\(path) is made at the first start")
            return 0
        }
        guard let claim = try DataClaim.take(path) else {
            try checkCertificate(loaded.settings)
            return try checkRunning()
        }
        try checkCertificate(loaded.settings)
        try checkData(loaded.settings)
        withExtendedLifetime(claim) {}
        return 0
    }

    private func checkCertificate(_ settings: Settings) throws(Failure) {
        let isOwn = settings.tls.certificate == nil
        if isOwn, access(path + "/tls/certificate.pem", F_OK) != 0, access(path + "/tls/key.pem", F_OK) != 0 {
            return say("certificate", "none", "a self-signed one is made at the first start")
        }
        do throws(TLSFailure) {
            let context = try Identity.load(settings, in: path + "/tls", mayMake: false)
            let days = (context.secondsUntilExpiry ?? 0) / 86_400
            say("certificate", "sound", "valid for \(days) days\(days < 14 ? ": it ends soon" : "")")
        } catch {
            throw .configuration(error.description)
        }
    }

    private func checkData(_ settings: Settings) throws(Failure) {
        if access(path + "/journal", F_OK) != 0 { return say("data", "none", "\(path) has no journal yet") }
        let (records, found) = try checkLog(settings)
        say("data", "sound", found)
        try checkUnknown(records)
        try checkBlobs(records)
    }

    /// - Returns: the uploads, and what is to be said of the rest, which takes much more memory.
    private func checkLog(_ settings: Settings) throws(Failure) -> ([BlobRecord], String) {
        do throws(JournalFault) {
            let (content, replay) = try Recovery.inspect(path, limits: settings.coreLimits)
            let (accounts, guests) = content.state.accountCounts
            let found =
                "\(replay.last) records, \(accounts) accounts, \(guests) guests, "
                + "\(content.state.conversations.count) conversations"
            let cut = replay.cut.map { "; a start will cut off \($0)" } ?? ""
            return (content.state.allBlobs, found + cut)
        } catch {
            throw Failure(error)
        }
    }

    /// What a daemon has cannot be read beside it; it knows itself.
    private func checkRunning() throws(Failure) -> Int32 {
        var client = try ControlClient.open(path)
        let rows = try client.ask("ADMIN STATUS").rows
        let reason = rows.first { $0["key"] == "read-only" }?["value"] ?? "no"
        if reason != "no" { throw .running("the daemon that runs is read-only: \(reason)") }
        say("data", "in use", "the daemon that runs on it is not read-only; stop it to have all data read")
        return 0
    }

    func say(_ what: String, _ state: String, _ text: String) {
        if request.isJSON {
            let pairs = [("what", what), ("state", state), ("text", text)]
            let fields = pairs.map { ServerLine.Field(key: $0.0, value: $0.1, isQuoted: true) }
            return Output.write(RowTable.json(fields), to: STDOUT_FILENO)
        }
        Output.write("\(what): \(state)\(text.isEmpty ? "" : ", " + RowTable.shown(text))\n", to: STDOUT_FILENO)
    }
}
