import Storage
import Testing

@Suite("Groups of records") struct RecordGroupTests {
    @Test func `records that belong together are kept whole or not at all, wherever the tail is torn`() throws {
        let source = TemporaryDirectory()
        try write([["a", "b", "c"], ["d"], ["e", "f", "g", "h"]], to: source, together: true)
        let base = try source.read(firstSegment)
        let ends = boundaries(base)
        let directory = TemporaryDirectory()
        for zeros in [0, 64] {
            for cut in ends[4]..<base.count {
                try directory.restore([firstSegment: base[..<cut] + [UInt8](repeating: 0, count: zeros)])
                let found = try recovered(directory)
                #expect(found.texts == ["a", "b", "c", "d"], "cut at \(cut)")
                #expect(found.replay.last == 4)
                #expect(found.replay.cut?.offset == (cut == ends[4] ? nil : UInt64(ends[4])))
                #expect(try recovered(directory).replay.cut == nil)
            }
        }
        try directory.restore([firstSegment: base])
        #expect(try recovered(directory).texts == ["a", "b", "c", "d", "e", "f", "g", "h"])
    }

    @Test func `of a group only the records above the wanted sequence are handed over`() throws {
        let directory = TemporaryDirectory()
        try write([["a", "b", "c"]], to: directory, together: true)
        #expect(try recovered(directory, after: 2).texts == ["c"])
    }
}
