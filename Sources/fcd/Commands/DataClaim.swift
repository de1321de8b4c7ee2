import Storage
import SystemIO

/// A data directory without a daemon, kept from one for as long as this lives. Changes nothing in it.
struct DataClaim: ~Copyable {
    private let lock: Descriptor

    /// - Returns: nil when a daemon has the directory.
    /// - Throws: `Failure` when there is no data directory at `path`.
    static func take(_ path: String) throws(Failure) -> DataClaim? {
        do throws(Errno) {
            let directory = try Directory.open(path)
            guard try Directory.lock(directory) else { return nil }
            return DataClaim(lock: directory)
        } catch {
            throw .running("\(path): \(error)")
        }
    }
}
