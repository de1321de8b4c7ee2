/// How a file journal writes.
package struct JournalSettings: Sendable {
    package enum Durability: Sendable, Equatable {
        /// Each batch is on disk before anything in it is spoken of.
        case sync
        /// A batch may be spoken of when it is written; the disk follows within `seconds`.
        case interval(seconds: Double)
    }

    package var durability: Durability
    /// Bytes a segment is filled ahead to. A segment that is only appended to grows to four times as much.
    package var segmentSize: UInt64
    /// Bytes written to a segment in this run before the next one is filled ahead.
    package var fillAfter: UInt64
    /// Other data say that there must be a journal, so that a directory without segments is damage.
    package var expectsData: Bool
    /// The last record that other data hold, so that a journal ending before it is damage.
    package var expectedThrough: UInt64
    /// It has no threads: whoever made it calls `FileJournal.step`. So the simulator has one order of all that happens.
    package var isStepped = false

    package init(
        durability: Durability = .sync,
        segmentSize: UInt64 = 16 << 20,
        fillAfter: UInt64 = 64 << 10,
        expectsData: Bool = false,
        expectedThrough: UInt64 = 0
    ) {
        (self.durability, self.segmentSize) = (durability, segmentSize)
        (self.fillAfter, self.expectsData) = (fillAfter, expectsData)
        self.expectedThrough = expectedThrough
    }
}
