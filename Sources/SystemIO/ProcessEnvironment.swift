import CLinux

/// The environment of this process (environ(7)).
package enum ProcessEnvironment {
    /// All variables; of two with one name, the first, which is the one that getenv(3) finds. O(n), for the start: while it
    /// runs, no thread may set a variable.
    package static var variables: [String: String] {
        var variables: [String: String] = [:]
        guard var at = fc_environment() else { return variables }
        while let entry = at.pointee {
            let text = String(cString: entry)
            if let equals = text.utf8.firstIndex(of: UInt8(ascii: "=")) {
                let name = String(text[..<equals])
                if variables[name] == nil { variables[name] = String(text[text.utf8.index(after: equals)...]) }
            }
            at += 1
        }
        return variables
    }
}
