import Glibc

/// A failed system call: what errno(3) said, and which call.
package struct Errno: Error, Equatable, CustomStringConvertible {
    package let code: Int32
    /// The call's name as in the man page.
    package let call: StaticString

    package init(code: Int32, call: StaticString) { (self.code, self.call) = (code, call) }

    package static func == (a: Errno, b: Errno) -> Bool { a.code == b.code }

    package var description: String { "\(call): \(String(cString: strerror(code)))" }
    /// Something has the name already (EEXIST).
    package var isExisting: Bool { code == EEXIST }
    package var isFull: Bool { code == ENOSPC || code == EDQUOT }
}

/// Runs a system call again while it is interrupted (EINTR).
///
/// errno is read at once after the call, before anything else can change it.
/// - Throws: `Errno` when the call returns -1.
@discardableResult
@inline(__always)
package func retrying<Result: FixedWidthInteger>(
    _ call: StaticString,
    _ body: () -> Result
) throws(Errno) -> Result {
    while true {
        let result = body()
        if result != -1 { return result }
        let code = errno
        if code != EINTR { throw Errno(code: code, call: call) }
    }
}
