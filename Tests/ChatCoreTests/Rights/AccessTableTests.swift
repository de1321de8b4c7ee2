import ChatCore
import ChatModel
import Testing

/// The table of protocol.md, Who may do what, as it reads: one line for each thing and act, one letter for each column.
@Suite("The rules of access, cell by cell") struct AccessTableTests {
    enum Column: String, CaseIterable, CustomStringConvertible {
        case owner, member, reader, other, guest, banned, op, `operator`
        var description: String { rawValue }

        /// Who asks. `owner` owns the thing and, where there is one, the conversation.
        var asker: Access.Asker {
            var asker = Access.Asker()
            switch self {
            case .owner: (asker.owns, asker.role) = (true, .owner)
            case .member: asker.role = .member
            case .reader: asker.role = .reader
            case .other: break
            case .guest: asker.isGuest = true
            case .banned: asker.isBanned = true
            case .op: asker.role = .op
            case .operator: asker.isOperator = true
            }
            return asker
        }
    }

    struct Cell: CustomStringConvertible {
        let thing: String
        let act: Access.Act
        let column: Column
        let isAllowed: Bool
        var description: String { "\(thing) \(act) \(column)" }
    }

    /// Columns: owner, member, reader, other account, guest, banned, op, operator.
    private static let table: [(thing: String, read: String, create: String, change: String, delete: String)] = [
        ("secrets", "--------", "x-------", "x------x", "x------x"),
        ("profile", "xxxxxxxx", "--------", "x-------", "--------"),
        ("contact", "x------x", "--------", "x-------", "--------"),
        ("private conversation", "xxx---xx", "xxxx-xx-", "x-----x-", "x------x"),
        ("public conversation", "xxxxxxxx", "xxxx-xx-", "x-----x-", "x------x"),
        ("conversation where guests may create", "xxx---xx", "xxxxxxx-", "x-----x-", "x------x"),
        ("message", "xxx---x-", "xx----x-", "x-------", "x-----xx"),
        ("marker", "x-------", "--------", "x-------", "--------"),
        ("blob nobody sent", "x-------", "xxxxxxx-", "--------", "x------x"),
        ("blob that was seen", "xxxxxxxx", "xxxxxxx-", "--------", "x------x"),
    ]

    static let cells: [Cell] = table.flatMap { row in
        [
            (Access.Act.read, row.read), (.create, row.create), (.change, row.change), (.delete, row.delete),
        ].flatMap { act, letters in
            zip(Column.allCases, letters).map { Cell(thing: row.thing, act: act, column: $0, isAllowed: $1 == "x") }
        }
    }

    private func answer(_ cell: Cell) -> Bool {
        let (act, asker) = (cell.act, cell.column.asker)
        return switch cell.thing {
        case "secrets": Access.secrets(act, asker)
        case "profile": Access.profile(act, asker)
        case "contact": Access.contact(act, asker)
        case "private conversation": Access.conversation(act, asker, isPublic: false)
        case "public conversation": Access.conversation(act, asker, isPublic: true)
        case "conversation where guests may create":
            Access.conversation(act, asker, isPublic: false, guestsCreate: true)
        case "message": Access.message(act, asker)
        case "marker": Access.marker(act, asker)
        case "blob nobody sent": Access.blob(act, asker)
        default: Access.blob(act, asker, seesIt: true)
        }
    }

    @Test(arguments: cells) func `each cell is as the table says`(cell: Cell) {
        #expect(answer(cell) == cell.isAllowed)
    }

    @Test func `the table has 320 cells`() { #expect(Self.cells.count == 320) }

    @Test(arguments: Access.Act.allCases) func `a muted member reads and takes back, and neither writes nor edits`(
        act: Access.Act
    ) {
        var asker = Column.owner.asker
        (asker.role, asker.isMuted) = (.member, true)
        #expect(Access.message(act, asker) == (act == .read || act == .delete))
    }

    @Test(arguments: Access.Act.allCases) func `an author who is no member any more may do nothing with a message`(
        act: Access.Act
    ) {
        var asker = Access.Asker()
        asker.owns = true
        #expect(!Access.message(act, asker))
        (asker.role, asker.isBanned) = (.op, true)
        #expect(!Access.message(act, asker))
    }
}
