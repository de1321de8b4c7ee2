import Glibc

extension RunningDaemon {
    /// The daemon's path: the environment's FCD, else `fcd` beside the running test program or above it.
    package static let executable: String = {
        if let named = getenv("FCD") { return String(cString: named) }
        return built("fcd") ?? "fcd"
    }()

    /// The path of what was built, looked for beside the running test program and above it.
    package static func built(_ name: String) -> String? {
        var directory = testProgram
        while let slash = directory.lastIndex(of: "/") {
            directory = String(directory[..<slash])
            if access("\(directory)/\(name)", X_OK) == 0 { return "\(directory)/\(name)" }
        }
        return nil
    }

    private static var testProgram: String {
        var path = [CChar](repeating: 0, count: 4096)
        let count = readlink("/proc/self/exe", &path, path.count)
        return String(decoding: path.prefix(max(0, count)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
