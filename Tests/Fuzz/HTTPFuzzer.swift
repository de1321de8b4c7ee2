// A fuzz target for libFuzzer, compiled together with Sources/BlobFrontEnd/HTTP into one program (scripts/fuzz.sh): what a
// connection of the blob port reads, however its bytes are cut. A trap, or two cuts that come to different things, is a find.

/// What a stream comes to.
struct Trace: Equatable {
    var steps: [HTTPReader.Step] = []
    var content: [UInt8] = []

    /// - Parameter cut: bytes shown at once; 0 is all.
    init(_ bytes: UnsafeRawBufferPointer, cut: Int) {
        var reader = HTTPReader()
        var (start, end) = (0, 0)
        while end < bytes.count {
            end = cut == 0 ? bytes.count : min(bytes.count, end + cut)
            var at = start
            let isOver = read(&reader, UnsafeRawBufferPointer(rebasing: bytes[..<end]), &at)
            if isOver { return }
            start = at
        }
    }

    private mutating func read(_ reader: inout HTTPReader, _ all: UnsafeRawBufferPointer, _ at: inout Int) -> Bool {
        while true {
            switch reader.next(all, &at) {
            case .more: return false
            case .content(let range):
                content += all[range]
                reader.take(range.count)
                at = range.upperBound
            case .request(let request):
                steps.append(.request(request))
                _ = HTTPSelection(request, tag: "\"t\"", size: UInt64(content.count))
                _ = HTTPQuery(request.query)
            case .contentEnd: steps.append(.contentEnd)
            case .refused(let refused):
                steps.append(.refused(refused))
                if refused.closes { return true }
            case .broken(let status):
                steps.append(.broken(status))
                return true
            }
        }
    }
}

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafeRawPointer, _ count: Int) -> Int32 {
    // The first byte says how the others are cut.
    guard count > 1 else { return 0 }
    let cut = Int(start.load(as: UInt8.self))
    let bytes = UnsafeRawBufferPointer(start: start + 1, count: count - 1)
    precondition(Trace(bytes, cut: cut) == Trace(bytes, cut: 0), "the cut changes what is read")
    return 0
}
