import ChatModel
import ChatTesting
import Engine
import Testing

@Suite("A slow reader that leaves and comes back") struct SequelTests {
    let reader = Reader()

    /// Owner 0 stands before line 1 of ten; its cursor ended behind line 5 and was made again before line 8.
    private func left() -> Speaker {
        var speaker = Speaker()
        for _ in 0..<5 { speaker.say(bytes: 40) }
        speaker.open(reader)
        speaker.subscribe(0, from: 1, reader)
        reader.table.end(0, speaker.number)
        for _ in 0..<5 { speaker.say(bytes: 40) }
        speaker.publish(to: reader)
        speaker.subscribe(0, from: 8, reader)
        return speaker
    }

    @Test func `hears what was said up to the end, then what is said from the new place on`() {
        var speaker = left()
        #expect(reader.all(0) == speaker.bytes(1, 5) + speaker.bytes(8, 10))
        speaker.say(bytes: 40)
        speaker.publish(to: reader)
        #expect(reader.all(0) == speaker.bytes(11, 11))
    }

    @Test func `hears each stretch of several, once and in order`() {
        var speaker = left()
        reader.table.end(0, speaker.number)
        for _ in 0..<4 { speaker.say(bytes: 40) }
        speaker.publish(to: reader)
        speaker.subscribe(0, from: 13, reader)
        #expect(reader.all(0) == speaker.bytes(1, 5) + speaker.bytes(8, 10) + speaker.bytes(13, 14))
    }

    @Test func `hears nothing beyond the end when it does not come back`() {
        var speaker = left()
        reader.table.end(0, speaker.number)
        speaker.say(bytes: 40)
        speaker.publish(to: reader)
        #expect(reader.all(0) == speaker.bytes(1, 5) + speaker.bytes(8, 10))
        #expect(reader.all(0) == [])
    }

    @Test func `may ask for what it has had once more: then the cursor moves`() {
        let speaker = left()
        speaker.subscribe(0, from: 2, reader)
        #expect(reader.all(0) == speaker.bytes(2, 10))
    }

    @Test(arguments: 1...10) func `keeps its places when a line changes`(seq: Int) {
        var speaker = left()
        speaker.replace(Seq(seq), with: [UInt8](repeating: 0x79, count: 90) + [0x0A], reader)
        #expect(reader.all(0) == speaker.bytes(1, 5) + speaker.bytes(8, 10))
    }

    @Test func `gets the catch-up of the last stretch when its input ends`() {
        var speaker = left()
        speaker.say(bytes: 40)
        speaker.publish(to: reader)
        reader.table.stopLive(0, catchUpOnly: true)
        #expect(reader.all(0) == speaker.bytes(1, 5) + speaker.bytes(8, 10))
    }

    @Test func `leaves nothing behind when it goes`() {
        var speaker = left()
        reader.table.removeOwner(0)
        speaker.subscribe(0, from: 11, reader)
        speaker.say(bytes: 40)
        speaker.publish(to: reader)
        #expect(reader.all(0) == speaker.bytes(11, 11))
    }
}
