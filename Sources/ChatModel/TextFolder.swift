/// Folds texts one after another into memory of its own: what `TextFolding` says, at the speed of looking it up. It has
/// one owner, on any thread.
package struct TextFolder: ~Copyable {
    private var room: UnsafeMutableRawPointer
    private var capacity = 0
    private var count = 0

    package init() { room = .allocate(byteCount: capacity, alignment: 16) }

    deinit { room.deallocate() }

    /// The last text folded, valid until the next one is.
    package var folded: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: room, count: count) }

    /// Folds `text`; bytes that are no UTF-8 fold to something, and up to three behind them with them. O(n), without
    /// allocation unless the text is longer than all before, or marks in it do not stand in canonical order.
    package mutating func fold(_ text: UnsafeRawBufferPointer) {
        // The first text of the process makes the table.
        let table = FoldingTable.shared
        makeRoom(text.count * table.longest)
        var pass = FoldingPass(text, into: room, capacity: capacity)
        let isInOrder = table.withView { pass.run($0) }
        if isInOrder { count = pass.output.count } else { foldInOrder(text) }
    }

    /// The way that puts marks into order.
    private mutating func foldInOrder(_ text: UnsafeRawBufferPointer) {
        let bytes = TextFolding.folded(String(decoding: text, as: UTF8.self).unicodeScalars)
        makeRoom(bytes.count)
        UnsafeMutableRawBufferPointer(start: room, count: capacity).copyBytes(from: bytes)
        count = bytes.count
    }

    /// What was folded before is forgotten when there is not room for `bytes`.
    private mutating func makeRoom(_ bytes: Int) {
        guard capacity < bytes + FoldingPass.slack else { return }
        room.deallocate()
        (capacity, count) = (max(65536, bytes + FoldingPass.slack), 0)
        room = .allocate(byteCount: capacity, alignment: 16)
    }
}
