import Glibc
import SystemIO

/// Wrong usage or configuration: the program says `description` on standard error and ends with exit code 2.
///
/// Everything from outside is shown escaped and cut, so that the text is one line.
enum UsageFault: Error, Equatable, CustomStringConvertible {
    case unknownOption(String, nearest: String)
    case unknownCommand(String, nearest: String)
    /// A word of a subcommand that is none of those it takes.
    case unknownWord(String, of: String, nearest: String)
    /// A subcommand without an argument it needs.
    case missingArgument(command: String, form: String)
    case missingValue(option: String, form: String)
    case unwantedValue(option: String)
    case unwantedArgument(String)
    case badOption(String, given: String, why: String)
    case unknownSetting(SettingOrigin, name: String, nearest: String)
    case badValue(SettingOrigin, setting: String, given: String, why: String)
    /// A configuration file that names a setting in two places.
    case givenTwice(file: String, name: String)
    case notAnObject(file: String)
    case unreadable(file: String, Errno)
    case tooLarge(file: String, limit: Int)
    case syntax(file: String, message: String)
    /// Settings that are right each alone but not together.
    case contradiction(String)

    /// The exit code of the program.
    static let exitCode: Int32 = 2

    /// Says it on standard error, as `fcd: …`; what cannot be written is lost.
    func report() {
        let line = Array("fcd: \(description)\n".utf8)
        _ = try? retrying("write") { write(STDERR_FILENO, line, line.count) }
    }

    var description: String {
        switch self {
        case .unknownOption(let given, let nearest):
            "\(visible(given)) is not an option; the nearest is \(nearest)"
        case .unknownCommand(let given, let nearest):
            "\(visible(given)) is not a command; the nearest is \(nearest)"
        case .unknownWord(let given, let command, let nearest):
            "\(visible(given)) is nothing that fcd \(command) does; the nearest is \(nearest)"
        case .missingArgument(let command, let form):
            "fcd \(command) needs more: fcd \(form)"
        case .missingValue(let option, let form):
            "\(option) needs a value: \(option) \(form)"
        case .unwantedValue(let option):
            "\(option) takes no value"
        case .unwantedArgument(let given):
            "the argument \(visible(given)) is not understood; fcd --help shows what is"
        case .badOption(let option, let given, let why):
            "\(option) \(visible(given)): \(why)"
        case .unknownSetting(let origin, let name, let nearest):
            Self.unknown(origin, name, nearest)
        case .badValue(let origin, let setting, let given, let why):
            Self.bad(origin, setting, given, why)
        case .givenTwice(let file, let name):
            "\(visible(file)): \(visible(name)) is given twice"
        case .notAnObject(let file):
            "\(visible(file)): the settings stand between { and }"
        case .unreadable(let file, let errno):
            "\(visible(file)): cannot be read (\(errno))"
        case .tooLarge(let file, let limit):
            "\(visible(file)): a configuration file has at most \(limit) bytes"
        case .syntax(let file, let message):
            "\(visible(file)): \(visible(message))"
        case .contradiction(let text):
            text
        }
    }

    private static func unknown(_ origin: SettingOrigin, _ name: String, _ nearest: String) -> String {
        switch origin {
        case .environment(let variable):
            "the environment variable \(visible(variable)) is not a setting; the nearest is \(nearest)"
        default:
            "\(visible(origin.description)): \(visible(name)) is not a setting; the nearest is \(nearest)"
        }
    }

    private static func bad(_ origin: SettingOrigin, _ setting: String, _ given: String, _ why: String) -> String {
        switch origin {
        case .option: "\(visible(origin.description)) \(visible(given)): \(why)"
        case .environment: "\(visible(origin.description))=\(visible(given)): \(why)"
        default: "\(visible(origin.description)): \(setting) = \(visible(given)): \(why)"
        }
    }
}
