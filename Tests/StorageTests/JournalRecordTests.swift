import Bytes
import Testing

@testable import Storage

@Suite("Journal records") struct JournalRecordTests {
    private func record(_ text: String, _ sequence: UInt64 = 12, durable: UInt64 = 9, together: Bool = false) -> [UInt8]
    {
        var buffer = ByteBuffer()
        JournalRecord.append(to: &buffer, globalSequence: sequence, durable: durable, together: together) {
            $0.append(string: text)
        }
        return Array(buffer.readable)
    }

    private func parsed(_ bytes: [UInt8]) -> JournalRecord.Parsed? {
        bytes.withUnsafeBytes { bytes in
            if case .record(let record) = JournalRecord.parse(bytes) { return record }
            return nil
        }
    }

    @Test func `a record is one line of text with its numbers, length and checksum`() {
        #expect(String(decoding: record("hello"), as: UTF8.self) == "12 9 . 000005 01496174 hello\n")
        #expect(String(decoding: record("", together: true), as: UTF8.self).hasPrefix("12 9 + 000000 "))
    }

    @Test func `what was appended is parsed again, whatever its length`() {
        for length in [0, 1, 7, 8, 9, 255, 4096, JournalRecord.maximumPayload] {
            let bytes = record(String(repeating: "x", count: length), .max, durable: .max - 1, together: true)
            let found = parsed(bytes)
            #expect(found?.globalSequence == .max && found?.durable == .max - 1 && found?.together == true)
            #expect(found?.payload.count == length && found?.length == bytes.count)
        }
        let longest = record(String(repeating: "x", count: JournalRecord.maximumPayload), .max, durable: .max - 1)
        #expect(longest.count == JournalRecord.maximumLength)
        #expect(record("", 1, durable: 0).count == JournalRecord.minimumLength)
    }

    @Test func `a record appended behind others does not change them`() {
        var buffer = ByteBuffer()
        buffer.append("before\n")
        buffer.consume(3)
        JournalRecord.append(to: &buffer, globalSequence: 1, durable: 0) { buffer in
            for _ in 0..<1000 { buffer.append("grows and moves ") }
        }
        let bytes = Array(buffer.readable)
        #expect(bytes.starts(with: "ore\n".utf8))
        #expect(parsed(Array(bytes.dropFirst(4)))?.payload.count == 16_000)
    }

    @Test func `no change of a single byte goes unnoticed`() {
        let sound = record("some text", together: true)
        for at in sound.indices {
            for value in UInt8.min...UInt8.max where value != sound[at] {
                var bytes = sound
                bytes[at] = value
                #expect(parsed(bytes) == nil, "byte \(at) changed to \(value)")
            }
        }
    }

    @Test func `a record that is cut anywhere is not a record`() {
        let sound = record("some text")
        for count in sound.indices { #expect(parsed(Array(sound[..<count])) == nil) }
    }

    @Test func `numbers that overflow or begin with zero are refused`() {
        for text in ["99999999999999999999 1 . 000000 00000000 \n", "012 9 . 000005 01496174 hello\n", " 9 . 000000 "] {
            #expect(parsed(Array(text.utf8)) == nil)
        }
    }
}
