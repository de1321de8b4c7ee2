/// A moment on a clock that nobody sets: only differences mean anything, and only within one process.
///
/// What lasts is measured by it; what is told to people, or written down, is a `Timestamp`.
package struct MonotonicTime: Sendable, Hashable, Comparable {
    package let milliseconds: Int64
    package init(milliseconds: Int64) { self.milliseconds = milliseconds }
    package static func < (a: Self, b: Self) -> Bool { a.milliseconds < b.milliseconds }

    /// Milliseconds from `earlier` to this moment.
    package func since(_ earlier: Self) -> Int64 { milliseconds - earlier.milliseconds }

    package func adding(milliseconds more: Int64) -> Self { Self(milliseconds: milliseconds + more) }
}
