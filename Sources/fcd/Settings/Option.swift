/// The options of `fcd`.
enum Option: String, CaseIterable, Sendable {
    case data = "--data"
    case config = "--config"
    case chat = "--chat"
    case plain = "--plain"
    case blobs = "--blobs"
    case set = "--set"
    case help = "--help"
    case version = "--version"
    case json = "--json"
    case yes = "--yes"
    case uses = "--uses"
    case expires = "--expires"

    /// The value that follows it; nil when it takes none.
    var form: String? {
        switch self {
        case .data: "DIR"
        case .config: "FILE"
        case .chat, .blobs: "HOST:PORT"
        case .plain: "HOST:PORT|none"
        case .set: "key=value"
        case .uses: "N"
        case .expires: "7d"
        case .help, .version, .json, .yes: nil
        }
    }
}
