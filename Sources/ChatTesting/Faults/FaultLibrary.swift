import Glibc
import SystemIO

/// The library `faults` (Sources/CFaults) as it stands between a running daemon and the C library: lists its calls that
/// change files, lets them fail, and sets its wall clock. What is set holds over restarts of the daemon.
package final class FaultLibrary: Sendable {
    /// The words of the control file, in the order of CFaults.h, FC_FAULT_….
    private enum Word: UInt64, CaseIterable {
        case calls, matched, hits, action, at, lasting, kinds, places, error, clock, time
    }

    /// Beside the running test program, or the environment's FAULTS.
    package static let path: String = {
        if let named = getenv("FAULTS") { return String(cString: named) }
        return RunningDaemon.built("libfaults.so") ?? "libfaults.so"
    }()

    private let control: File
    private let controlPath: String
    private let listPath: String
    private let root: String

    /// - Parameters:
    ///   - directory: where the files stand by which the library is told what to do.
    ///   - data: the data directory, which need not be there yet.
    init(in directory: String, data: String) throws(Errno) {
        (controlPath, listPath) = (directory + "/faults", directory + "/calls")
        let above = try Directory.resolve(Directory.parent(of: data))
        root = above + data.dropFirst(Directory.parent(of: data).count)
        control = try File(controlPath, .create)
        for word in Word.allCases { try set(word, 0) }
    }

    /// What goes before a command for the library to be loaded into it (env(1)).
    var wrapper: [String] {
        [
            "env", "LD_PRELOAD=\(Self.path)", "FC_FAULTS_ROOT=\(root)", "FC_FAULTS_CONTROL=\(controlPath)",
            "FC_FAULTS_LOG=\(listPath)",
        ]
    }

    private func set(_ word: Word, _ value: Int64) throws(Errno) {
        let outcome = withUnsafeBytes(of: value) { bytes -> Errno? in
            do throws(Errno) {
                try control.write(bytes, at: word.rawValue * 8)
                return nil
            } catch { return error }
        }
        if let outcome { throw outcome }
    }

    private func word(_ word: Word) -> Int {
        var value: Int64 = 0
        let count = withUnsafeMutableBytes(of: &value) { try? control.read(into: $0, at: word.rawValue * 8) }
        precondition(count == 8, "the control file cannot be read")
        return Int(value)
    }

    /// Calls made so far, over all starts.
    package var callCount: Int { word(.calls) }

    /// Calls that the last fault has happened to.
    package var hits: Int { word(.hits) }

    /// Calls of the last fault's kinds and places since it was set.
    package var matched: Int { word(.matched) }

    /// The calls made so far, in order, over all starts.
    package var calls: [FileCall] { readWhole(listPath).split(separator: "\n").compactMap { FileCall($0) } }

    /// Has `fault` happen from now on, in place of one set before; nil: none.
    package func set(_ fault: FileFault?) throws(Errno) {
        try set(.action, 0)
        guard let fault else { return }
        try set(.matched, 0)
        try set(.hits, 0)
        try set(.at, Int64(fault.at))
        try set(.lasting, fault.isLasting ? 1 : 0)
        try set(.kinds, Self.bits(of: fault.kinds))
        try set(.places, Self.bits(of: fault.places))
        try set(.error, fault.error)
        try set(.action, fault.number)
    }

    private static func bits<Case: CaseIterable & Equatable>(of cases: [Case]) -> Int64 {
        zip(0..., Case.allCases).reduce(0) { $0 | (cases.contains($1.1) ? 1 << $1.0 : 0) }
    }

    /// What the daemon takes for the time of day.
    package enum WallClock: Sendable {
        /// As much ahead of the true time, or behind it.
        case shifted(milliseconds: Int64)
        /// Always this moment, in milliseconds since 1970.
        case still(milliseconds: Int64)
    }

    package func set(clock: WallClock) throws(Errno) {
        switch clock {
        case .shifted(let milliseconds):
            try set(.time, milliseconds * 1_000_000)
            try set(.clock, 1)
        case .still(let milliseconds):
            try set(.time, milliseconds * 1_000_000)
            try set(.clock, 2)
        }
    }
}
