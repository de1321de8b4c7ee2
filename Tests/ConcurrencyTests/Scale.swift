import Foundation

/// Lines and messages of the tests here, whole unless FC_TEST_SCALE says which part: the thread sanitizer makes everything
/// ten times slower.
enum Scale {
    static func of(_ count: Int) -> Int {
        let part = ProcessInfo.processInfo.environment["FC_TEST_SCALE"].flatMap { Double($0) } ?? 1
        return max(1_000, Int(Double(count) * min(1, max(0, part))))
    }
}
