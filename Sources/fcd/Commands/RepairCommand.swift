import ChatModel
import Engine
import Glibc
import Storage
import SystemIO

/// `fcd repair [--yes]`: says what it would do to damaged data, and with `--yes` does it.
struct RepairCommand {
    private let request: CommandRequest
    private let path: String
    private let isConfirmed: Bool

    init(_ request: CommandRequest, isConfirmed: Bool) {
        (self.request, self.isConfirmed) = (request, isConfirmed)
        path = request.serve.dataDirectory
    }

    /// - Returns: 0 when there is nothing to repair or it is repaired, 1 when there is and nothing was changed.
    /// - Throws: `Failure`: 3 while a daemon has the data, 4 where too little is left.
    func run() throws(Failure) -> Int32 {
        let loaded: LoadedSettings
        do throws(UsageFault) { loaded = try request.serve.sources.load() } catch {
            throw .configuration(error.description)
        }
        guard let claim = try DataClaim.take(path) else {
            throw .inUse("\(path): a daemon runs on it; stop it first")
        }
        defer { withExtendedLifetime(claim) {} }
        guard access(path + "/journal", F_OK) == 0, access(path + "/snapshot", F_OK) == 0 else {
            throw .running("\(path): this is no data directory of fcd, or a part of it is missing")
        }
        if try isSound(loaded.settings.coreLimits) { return 0 }
        do throws(JournalFault) { return try repair(loaded.settings.coreLimits) } catch {
            switch error {
            case .damage: throw .damaged("\(error); nothing was changed: restore a backup")
            case .newerFormat, .system: throw Failure(error)
            }
        }
    }

    private func isSound(_ limits: Limits) throws(Failure) -> Bool {
        do throws(JournalFault) {
            let (_, replay) = try Recovery.inspect(path, limits: limits)
            if let cut = replay.cut {
                let place: KeyValuePairs = ["file": cut.file, "offset": String(cut.offset)]
                say(RepairRow("tail", place, "the next start cuts off \(cut)"))
            }
            say(RepairRow("result", ["state": "sound"], "nothing to repair"))
            return true
        } catch {
            if case .damage = error {
                say(RepairRow("fault", ["reason": error.description], error.description))
                return false
            }
            throw Failure(error)
        }
    }

    private func repair(_ limits: Limits) throws(JournalFault) -> Int32 {
        let plan = try RepairPlan(path, limits: limits, logID: LogIdentity.make(SystemRandomness()))
        for row in plan.rows { say(row) }
        guard isConfirmed else {
            say(RepairRow("result", ["state": "damaged"], "nothing was changed; fcd repair --yes does this"))
            return 1
        }
        let name = try RepairSwitch(path: path, plan: plan).run()
        say(
            RepairRow(
                "result",
                ["state": "repaired", "log": plan.logID, "kept": name],
                "repaired; the log is \(plan.logID) now; what was replaced is kept in \(path)/\(name)"
            )
        )
        return 0
    }

    private func say(_ row: RepairRow) {
        Output.write(request.isJSON ? row.json : row.line, to: STDOUT_FILENO)
    }
}
