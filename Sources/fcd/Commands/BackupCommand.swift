import Storage
import SystemIO
import TLS
import Wire

/// `fcd backup FILE`: the state at one journal position, in one file.
///
/// Beside a running daemon the files are copied by this process, while the daemon removes none of them: for as long as the
/// control connection lasts, on which it has answered `ADMIN BACKUP`. Without one this process holds the data directory.
struct BackupCommand {
    private let file: String
    private let data: String

    init(_ file: String, of data: String) { (self.file, self.data) = (file, data) }

    /// - Throws: `Failure`: 2 when there is a file of this name, 4 when the data is damaged.
    func run(_ request: CommandRequest) throws(Failure) {
        if try isThere() { throw .configuration("\(visible(file)) is there already, and a backup replaces nothing") }
        ThreadPriority.lower()
        let header: BackupHeader
        if let claim = try DataClaim.take(data) {
            header = try write(through: try lastRecord())
            withExtendedLifetime(claim) {}
        } else {
            var client = try ControlClient.open(data)
            let answer = try request.granted(try client.ask("ADMIN BACKUP"))
            guard let position = answer.last["through"].flatMap({ UInt64($0) }) else {
                throw .running("the daemon's answer is not understood")
            }
            header = try write(through: position)
            // Whatever was copied was checked; the connection is needed up to here.
            withExtendedLifetime(client) {}
        }
        request.show([
            "backup": file, "position": String(header.position), "log": header.logID,
            "files": String(header.files.count),
            "bytes": String(header.files.reduce(0) { $0 + $1.byteCount }),
        ])
    }

    private func isThere() throws(Failure) -> Bool {
        do throws(Errno) { return try Directory.kind(of: file) != nil } catch {
            throw .running("\(visible(file)): \(error)")
        }
    }

    /// The last record of a journal that nobody writes; a torn tail is left out.
    private func lastRecord() throws(Failure) -> UInt64 {
        let last: UInt64
        do throws(JournalFault) { last = try Recovery.lastRecord(data) } catch { throw Failure(error) }
        if last == 0 { throw .running("\(visible(data)) has no records that could be backed up") }
        return last
    }

    private func write(through position: UInt64) throws(Failure) -> BackupHeader {
        let written: BackupHeader?
        do throws(JournalFault) {
            let plan = try BackupPlan(data, position: position, created: Clock.milliseconds)
            written = try write(plan) ? plan.header : nil
        } catch {
            throw Failure(error)
        }
        guard let written else { throw .running("\(visible(file)).tmp: another process writes it") }
        return written
    }

    private func write(_ plan: BackupPlan) throws(JournalFault) -> Bool {
        guard var writer = try BackupWriter(file) else { return false }
        try writer.write(plan.header, from: data, contents: plan.contents) { SHA256Stream() }
        return true
    }
}
