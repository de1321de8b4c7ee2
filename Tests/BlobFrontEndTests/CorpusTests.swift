import Foundation
import Testing

@Suite("The fuzzer's corpus") struct CorpusTests {
    /// The inputs that `make fuzz` begins with, each without the byte that tells the fuzzer how to cut it.
    private static let inputs: [(name: String, bytes: [UInt8])] = {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("../Fuzz/http")
        let files = (try? FileManager.default.contentsOfDirectory(at: root, includingPropertiesForKeys: nil)) ?? []
        return files.sorted { $0.path < $1.path }.compactMap { file in
            (try? Data(contentsOf: file)).map { (file.lastPathComponent, Array($0.dropFirst())) }
        }
    }()

    @Test func `each comes to the same in every split, and traps nothing`() {
        #expect(Self.inputs.count >= 30)
        for (name, bytes) in Self.inputs {
            let whole = Exchange(bytes)
            #expect(Exchange(bytes, cuts: Array(0..<bytes.count)) == whole, "\(name), byte by byte")
            for cut in 0..<min(bytes.count, 700) {
                #expect(Exchange(bytes, cuts: [cut]) == whole, "\(name) cut at \(cut)")
            }
        }
    }
}
