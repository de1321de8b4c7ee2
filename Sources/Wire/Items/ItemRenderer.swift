import Bytes
import ChatModel

/// Writes the one line of an item's event, and rows of the items that stand (protocol.md, Items).
package enum ItemRenderer {
    /// Appends `EV item coll= seq= ts= by= op= id= rev= [json=]` and LF. O(length).
    package static func render(
        _ event: ItemEvent,
        collection: String,
        by: String,
        arena: UnsafeRawBufferPointer,
        into out: inout ByteBuffer
    ) {
        out.append("EV item coll=")
        var times = TimeWriter()
        EventRenderer.appendOrigin(collection, event.seq, event.time, by: by, &times, &out)
        if event.isDeletion { out.append(" op=del id=") } else { out.append(" op=put id=") }
        out.append(string: event.id)
        out.append(" rev=")
        out.append(decimal: event.seq)
        if case .put(let json?) = event.operation {
            out.append(" json=")
            out.append(UnsafeRawBufferPointer(rebasing: arena[json.range]))
        }
        out.append(byte: 0x0A)
    }

    /// Appends `item coll= id= rev= by= ts= json=` and LF: an item as it stands.
    package static func appendRow(_ line: ItemLine, into out: inout ByteBuffer) {
        out.append("item coll=")
        out.append(line.collection)
        out.append(" id=")
        out.append(line.id)
        out.append(" rev=")
        out.append(decimal: line.seq)
        out.append(" by=")
        out.append(line.by)
        out.append(" ts=")
        ValueRenderer.append(time: line.time, into: &out)
        out.append(" json=")
        out.append(line.json)
        out.append(byte: 0x0A)
    }
}
