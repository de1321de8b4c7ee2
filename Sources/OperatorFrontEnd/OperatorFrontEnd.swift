import ChatModel
import Engine
import SystemIO

/// The control socket's ADMIN verbs: writes the audit, carries out what concerns settings and the process, and hands the
/// rest to the engine. Confined to the engine's thread.
package final class OperatorFrontEnd {
    private let settings: any SettingsDesk
    private let audit: AuditLog
    private let facts: () -> [KeyValue]
    private let onAuditFailure: (Errno) -> Void

    /// - Parameters:
    ///   - facts: what STATUS says beside what the engine knows.
    ///   - onAuditFailure: told when a line of the audit could not be written; the command is carried out all the same.
    package init(
        settings: any SettingsDesk,
        audit: AuditLog,
        facts: @escaping () -> [KeyValue],
        onAuditFailure: @escaping (Errno) -> Void
    ) {
        (self.settings, self.audit, self.facts, self.onAuditFailure) = (settings, audit, facts, onAuditFailure)
    }

    /// Carries out what the operator asked of `engine` since the last call. Once a turn; O(1) when there is nothing.
    package func serve(_ engine: Engine, now: Timestamp) {
        if engine.mustRefreshSettings {
            engine.mustRefreshSettings = false
            configure(engine)
        }
        for job in engine.takeOperatorJobs() {
            if !job.request.isHarmless { note(job, now) }
            carryOut(job, engine)
        }
    }

    private func note(_ job: OperatorJob, _ now: Timestamp) {
        do throws(Errno) { try audit.note(job.request.words, uid: job.uid, now: now) } catch { onAuditFailure(error) }
    }

    private func carryOut(_ job: OperatorJob, _ engine: Engine) {
        do throws(Refusal) {
            switch job.request.command {
            case .status: engine.answer(job.id, status(of: engine))
            case .get(let key): engine.answer(job.id, Self.list(try settings.rows(key: key)))
            case .set(let key, let value): engine.answer(job.id, try set(key, value, engine))
            case .unset(let key): engine.answer(job.id, try set(key, nil, engine))
            case .banAddress(let given, let isOn): engine.answer(job.id, try ban(given, isOn, engine))
            case .users, .user, .conversations, .snapshot, .backup, .resume, .clients, .end, .notice, .invite,
                .metricsToken, .addUser,
                .delete, .drop, .deleteBlob, .retain, .addressBans, .schema, .export, .importRecord:
                engine.carryOut(job)
            }
        } catch {
            engine.answer(job.id, .refused(error))
        }
    }

    /// Written down first, so that it counts only when it survives a restart.
    private func set(_ key: String, _ value: String?, _ engine: Engine) throws(Refusal) -> Reply {
        try settings.check(key: key, value: value)
        try engine.record(setting: key, value)
        settings.take(key: key, value: value)
        configure(engine)
        return .done((try? settings.rows(key: key).first?.fields) ?? [])
    }

    private func ban(_ given: String, _ isOn: Bool, _ engine: Engine) throws(Refusal) -> Reply {
        guard let prefix = NetworkPrefix(given) else {
            throw .badArg(
                "prefix",
                "an address such as 192.0.2.7 or 2001:db8::7, or ADDRESS/BITS with no bits behind it"
            )
        }
        return try engine.ban(address: prefix.description, isOn: isOn)
    }

    private func configure(_ engine: Engine) {
        let (live, changed) = settings.current(log: engine.logID)
        engine.configure(live, changed: changed)
    }

    private static func list(_ rows: [Row]) -> Reply { .done(rows: rows, [.number("n", rows.count)]) }

    private func status(of engine: Engine) -> Reply {
        let vitals = engine.vitals
        let own: [KeyValue] = [
            .word("log", vitals.logID), .number("journal.decided", vitals.appended),
            .number("journal.durable", vitals.durable),
            .word("read-only", vitals.readOnlyReason ?? "no"), .flag("memory.full", vitals.isMemoryFull),
            .number("connections", vitals.connections), .number("accounts", vitals.accounts),
            .number("guests", vitals.guests), .number("conversations", vitals.conversations),
        ]
        return Self.list((facts() + own).map { Row("status", [.word("key", $0.key), KeyValue("value", $0.value)]) })
    }
}
