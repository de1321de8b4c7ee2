import ChatCore
import ChatModel
import Engine
import Storage

/// The rows of a repair.
enum RepairReport {
    /// What is wrong with the journal's files.
    static func rows(of survey: JournalSurvey) -> [RepairRow] {
        var rows = survey.flaws.map { flaw in
            RepairRow(
                "damage",
                [
                    "file": flaw.file, "offset": String(flaw.offset), "bytes": String(flaw.byteCount),
                    "reason": flaw.reason,
                ],
                "\(flaw.file), offset \(flaw.offset), \(flaw.byteCount) bytes: \(flaw.reason)"
            )
        }
        rows += survey.missing.map { range in
            let count = range.upperBound - range.lowerBound + 1
            return RepairRow(
                "missing",
                ["first": String(range.lowerBound), "last": String(range.upperBound)],
                count == 1
                    ? "record \(range.lowerBound) is lost"
                    : "records \(range.lowerBound) to \(range.upperBound) are lost"
            )
        }
        rows += survey.tail.map { flaw in
            RepairRow(
                "tail",
                ["file": flaw.file, "offset": String(flaw.offset), "bytes": String(flaw.byteCount)],
                "\(flaw.file), offset \(flaw.offset), \(flaw.byteCount) bytes: never acknowledged, dropped"
            )
        }
        return rows
    }

    /// Uploads of which only the bytes are left.
    static func rows(ofFiles count: Int) -> [RepairRow] {
        if count == 0 { return [] }
        let text = count == 1 ? "1 file under blobs has" : "\(count) files under blobs have"
        return [
            RepairRow(
                "files",
                ["count": String(count)],
                "\(text) no record; kept aside, since the next start removes them"
            )
        ]
    }

    /// What that means for conversations and accounts.
    static func rows(of report: SalvageReport, _ survey: JournalSurvey, _ state: State) -> [RepairRow] {
        var rows: [RepairRow] = []
        for number in report.lost.keys.sorted() {
            let name = state.name(of: number)
            for range in report.lost[number] ?? [] {
                let (first, last) = (range.lowerBound, range.upperBound)
                rows.append(
                    RepairRow(
                        "lost",
                        ["conv": name, "first": String(first), "last": String(last)],
                        "\(name): " + (first == last ? "seq \(first) is lost" : "seqs \(first) to \(last) are lost")
                    )
                )
            }
        }
        for aside in report.asides { rows.append(row(of: aside, survey, state)) }
        for rebuilt in report.rebuilt { rows.append(row(of: rebuilt, state)) }
        return rows
    }

    private static func row(of aside: SalvageReport.Aside, _ survey: JournalSurvey, _ state: State) -> RepairRow {
        let record = survey.record(aside.globalSequence)
        let file = record.map { survey.name(of: $0) } ?? ""
        let offset = record.map { String($0.offset) } ?? ""
        let conversation = aside.conversation.flatMap { state.exists($0) ? state.name(of: $0) : nil } ?? ""
        let seq = aside.seq.map { String($0) } ?? ""
        let place = conversation.isEmpty ? "" : " (\(conversation), seq \(seq))"
        return RepairRow(
            "aside",
            [
                "record": String(aside.globalSequence), "file": file, "offset": offset, "conv": conversation,
                "seq": seq, "reason": aside.reason,
            ],
            "\(file), offset \(offset): record \(aside.globalSequence)\(place) is set aside: \(aside.reason)"
        )
    }

    private static func row(of rebuilt: SalvageReport.Rebuilt, _ state: State) -> RepairRow {
        switch rebuilt {
        case .account(let number):
            let name = state.handleText(number)
            return RepairRow(
                "account",
                ["user": name, "state": "rebuilt"],
                "account \(name): its record is lost; address and password are unknown: fcd user reset \(name)"
            )
        case .unknownAccount(let number):
            let name = state.handleText(number)
            return RepairRow(
                "account",
                ["user": name, "state": "unknown"],
                "account \(name): nothing is known of it but its number; it is disabled"
            )
        case .conversation(let number):
            let name = state.name(of: number)
            return RepairRow(
                "conversation",
                ["conv": name, "state": "rebuilt"],
                "\(name): its beginning is lost; it is private now, without a title"
            )
        case .fromLines(let number):
            let name = state.name(of: number)
            return RepairRow(
                "conversation",
                ["conv": name, "state": "from-lines"],
                "\(name): put together from its lines; how far everybody had read is lost, and what ADMIN RETAIN said"
            )
        case .retention(let number):
            let name = state.name(of: number)
            return RepairRow(
                "conversation",
                ["conv": name, "state": "retention"],
                "\(name): what ADMIN RETAIN said of it is lost; all of it is kept"
            )
        case .unknownConversation(let number):
            let name = state.name(of: number)
            return RepairRow(
                "conversation",
                ["conv": name, "state": "unknown"],
                "conversation \(number.raw): nothing is left of it; nobody is in it"
            )
        case .owner(let number, let account):
            let (name, owner) = (state.name(of: number), state.handleText(account))
            return RepairRow(
                "owner",
                ["conv": name, "user": owner],
                "\(name): who owned it is lost; \(owner) does now"
            )
        }
    }
}
