import ChatModel
import Storage
import SystemIO
import TLS
import Transport

/// SIGHUP: reads configuration and certificate again, all of it or nothing, and knows how that went.
///
/// Both ports take their certificate from one `TLSSlot`, so that they change at once; connections that stand keep theirs.
final class Reloader: Sendable {
    private struct Outcome {
        var certificate: TLSContext
        var time: Timestamp?
        /// Why the last reload was refused; nil when it was not.
        var fault: String?
        /// Monotonic seconds when expiry is looked at again.
        var nextLook: UInt64 = 0
    }

    private let keeper: SettingsKeeper
    private let directory: DataDirectory
    private let slot: TLSSlot
    private let log: Log
    private let outcome: Lock<Outcome>

    /// Seconds left of a certificate from which on its end is warned of, once a day.
    private static let notice: Int64 = 14 * 86_400
    private static let day: UInt64 = 86_400

    init(_ keeper: SettingsKeeper, _ directory: DataDirectory, _ slot: TLSSlot, _ certificate: TLSContext, _ log: Log) {
        (self.keeper, self.directory, self.slot, self.log) = (keeper, directory, slot, log)
        outcome = Lock(Outcome(certificate: certificate))
    }

    /// Checks everything first: one fault, and nothing is changed.
    /// - Returns: whether live settings may have changed.
    func reload() -> Bool {
        let now = Timestamp(milliseconds: Clock.milliseconds)
        do throws(Failure) {
            let (loaded, certificate) = try read()
            let waiting = keeper.adopt(loaded)
            slot.replace(with: certificate)
            outcome.withLock { (outcome: inout Outcome) in
                (outcome.certificate, outcome.time, outcome.fault, outcome.nextLook) = (certificate, now, nil, 0)
            }
            log.info(
                "reload",
                "settings and certificate were read again",
                ["certificate": certificate.fingerprint ?? ""]
            )
            if !waiting.isEmpty {
                log.warning(
                    "reload",
                    "changed, but taken at a restart only",
                    ["settings": waiting.joined(separator: ",")]
                )
            }
            return true
        } catch {
            log.error("reload", "refused as a whole; everything stays as it was", ["reason": error.text])
            outcome.withLock { (outcome: inout Outcome) in (outcome.time, outcome.fault) = (now, error.text) }
            return false
        }
    }

    private func read() throws(Failure) -> (LoadedSettings, TLSContext) {
        let loaded: LoadedSettings
        do throws(UsageFault) { loaded = try keeper.readAgain() } catch { throw .configuration(error.description) }
        do throws(TLSFailure) {
            return (loaded, try Identity.load(loaded.settings, in: directory.tls, mayMake: false))
        } catch {
            throw .configuration(error.description)
        }
    }

    /// Warns, once a day, of a certificate that ends soon. O(1).
    func look(atSeconds now: UInt64) {
        let left = outcome.withLock { (outcome: inout Outcome) -> Int64? in
            if now < outcome.nextLook { return nil }
            outcome.nextLook = now + Self.day
            return outcome.certificate.secondsUntilExpiry
        }
        guard let left, left < Self.notice else { return }
        if left < 0 {
            log.error("tls", "the certificate has expired")
        } else {
            log.warning("tls", "the certificate expires soon", ["days": String(left / 86_400)])
        }
    }

    /// What STATUS says of it.
    var facts: [KeyValue] {
        let outcome = outcome.withLock { (outcome: inout Outcome) -> Outcome in outcome }
        var facts: [KeyValue] = [.word("certificate.sha256", outcome.certificate.fingerprint ?? "none")]
        if let expiry = outcome.certificate.expiry {
            facts.append(.time("certificate.expires", Timestamp(milliseconds: expiry * 1000)))
            let left = outcome.certificate.secondsUntilExpiry ?? 0
            facts.append(.flag("certificate.expires-soon", left < Self.notice))
        }
        facts.append(.word("reload.state", outcome.time == nil ? "none" : outcome.fault == nil ? "ok" : "refused"))
        if let time = outcome.time { facts.append(.time("reload.time", time)) }
        if let fault = outcome.fault { facts.append(.word("reload.reason", fault)) }
        return facts
    }
}
