/// Where a setting's value came from.
enum SettingOrigin: Sendable, Equatable, CustomStringConvertible {
    /// The configuration file at this path.
    case file(String)
    /// An environment variable.
    case environment(String)
    /// `--set`.
    case set
    /// An option of its own, as `--chat`.
    case option(String)

    var description: String {
        switch self {
        case .file(let path): path
        case .environment(let variable): variable
        case .set: "--set"
        case .option(let name): name
        }
    }
}
