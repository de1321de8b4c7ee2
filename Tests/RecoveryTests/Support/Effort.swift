import Foundation

/// How much the tests here try: everything with DAMAGE=all in the environment (`make damage-all`), else a sample of it.
enum Effort {
    static let isWhole = ProcessInfo.processInfo.environment["DAMAGE"] == "all"

    /// So many tries: `whole` with DAMAGE=all, else `sample`.
    static func tries(_ whole: Int, sample: Int) -> Int { isWhole ? whole : sample }
}
