import Bytes
import Storage
import SystemIO
import TLS
import Wire

/// `fcd import FILE`: hands what a file has to the running daemon, one thing after the other; without one, to a daemon that
/// runs for that long. Everything is looked at before anything is sent. Whatever ends it in the middle, the same command
/// again goes on: what is in already is not doubled.
struct ImportCommand {
    private let file: String

    init(_ file: String) { self.file = file }

    /// - Throws: `Failure`: 2 for a file that is none, 1 for what the daemon refuses, with the line.
    func run(_ request: CommandRequest) throws(Failure) {
        let bytes: [UInt8]
        do throws(Errno) { bytes = try File.contents(of: file, limit: 1 << 30) } catch {
            throw .configuration("\(visible(file)): \(error)")
        }
        let digest = SHA256Stream()
        let read = bytes.withUnsafeBytes { bytes -> Result<[ImportFile.Record], Failure> in
            digest.update(bytes)
            do throws(Failure) { return .success(try ImportFile(bytes).records) } catch { return .failure(error) }
        }
        let records: [ImportFile.Record]
        switch read {
        case .success(let found): records = found
        case .failure(let failure): throw .configuration("\(visible(file)): \(failure.text)")
        }
        let name = digest.hex().prefix(24)
        let host = try TemporaryDaemon.ifNeeded(request.serve.dataDirectory)
        var client = try ControlClient.open(request.serve.dataDirectory)
        try check(records, try textLimit(&client, request))
        var (imported, repeated, skipped) = (0, 0, 0)
        var seqs: [String: String] = [:]
        for (index, record) in records.enumerated() {
            let line = "ADMIN IMPORT nonce=\(name)-\(index) " + object(record, seqs)
            let answer = try client.ask(line)
            guard answer.last.word == .ok else {
                let field = answer.last["field"].map { " (\($0))" } ?? ""
                let why = "\(answer.last.kind ?? "ERR")\(field): \(answer.last.human ?? "refused")"
                let done = "\(imported) of \(records.count) are in; the same command again goes on from here"
                throw .running("\(visible(file)): line \(record.line): \(why); \(done)")
            }
            if answer.last["skipped"] == "yes" { skipped += 1 } else { imported += 1 }
            if answer.last["dup"] == "yes" { repeated += 1 }
            if let old = Self.place(record), let new = answer.last["seq"] { seqs[old] = new }
        }
        request.show([
            "imported": String(imported), "there-already": String(repeated), "skipped": String(skipped),
        ])
        withExtendedLifetime(host) {}
    }

    /// Where a message stood, for those that answer it.
    private static func place(_ record: ImportFile.Record) -> String? {
        guard let seq = record.fields["seq"] else { return nil }
        return (record.fields["conv"] ?? "") + " " + seq
    }

    private func object(_ record: ImportFile.Record, _ seqs: [String: String]) -> String {
        if let whole = record.whole { return whole }
        var fields = record.fields
        // What was answered has another seq here; what was not imported is not answered.
        if let reply = fields["reply"] { fields["reply"] = seqs[(fields["conv"] ?? "") + " " + reply] }
        let sorted = fields.sorted { $0.key < $1.key }
        return String(RowTable.json(sorted.map { .init(key: $0.key, value: $0.value, isQuoted: true) }).dropLast())
    }

    private func textLimit(_ client: inout ControlClient, _ request: CommandRequest) throws(Failure) -> Int {
        let answer = try request.granted(try client.ask("ADMIN GET limits.text"))
        return answer.rows.first?["value"].flatMap { Int($0) } ?? 4000
    }

    private func check(_ records: [ImportFile.Record], _ limit: Int) throws(Failure) {
        for record in records where record.whole == nil {
            let count = record.fields["text"]?.unicodeScalars.count ?? 0
            if count > limit {
                throw .configuration(
                    "\(visible(file)): line \(record.line): a text of \(count) characters; limits.text is \(limit); nothing was imported"
                )
            }
        }
    }
}
