import ChatModel

/// Cursors that have ended, are still behind, and were made again meanwhile: a slow reader who leaves and comes back gets
/// what was said up to the leave, then what is said from the new place on, each once and in order.
extension CursorTable {
    /// Lets an ended cursor go on at `place`; false when there is none, or `place` lies before its end.
    func addSequel(_ owner: Int, _ conversation: ConversationNumber, at place: Place) -> Bool {
        guard let index = byOwner[OwnerKey(owner: Int32(owner), conversation: conversation)] else { return false }
        let cursor = cursors[Int(index)]
        let limit = sequels[index]?.last?.limit ?? cursor.limit
        guard limit != .never, place >= limit else { return false }
        sequels[index, default: []].append(CursorSequel(place: place, live: cursor.list.pointee.end))
        cursors[Int(index)].hasSequel = true
        return true
    }

    /// The cursor has reached its limit and goes on at its sequel; false when there is none.
    func beginSequel(_ index: Int) -> Bool {
        guard cursors[index].hasSequel, var rest = sequels[Int32(index)] else { return false }
        let next = rest.removeFirst()
        sequels[Int32(index)] = rest.isEmpty ? nil : rest
        cursors[index].hasSequel = !rest.isEmpty
        (cursors[index].place, cursors[index].limit, cursors[index].live) = (next.place, next.limit, next.live)
        cursors[index].gone = next.gone
        if next.place >= next.limit { return beginSequel(index) }
        wake(index)
        return true
    }

    /// Ends the last stretch of a cursor at what `end` says, given the cursor and where that stretch went live; a cursor
    /// with nothing left goes.
    func limit(_ index: Int, _ end: (Cursor, _ live: Place) -> Place) {
        if cursors[index].hasSequel, var last = sequels[Int32(index)]?.popLast() {
            last.limit = min(last.limit, end(cursors[index], last.live))
            if last.place < last.limit { sequels[Int32(index)]?.append(last) }
            cursors[index].hasSequel = sequels[Int32(index)]?.isEmpty == false
            if !cursors[index].hasSequel { sequels[Int32(index)] = nil }
            return
        }
        cursors[index].limit = min(cursors[index].limit, end(cursors[index], cursors[index].live))
        if cursors[index].place >= cursors[index].limit { remove(index) }
    }

    func changeSequels(of index: Int, _ change: (inout CursorSequel) -> Void) {
        sequels[Int32(index)] = sequels[Int32(index)]?.map { sequel in
            var changed = sequel
            change(&changed)
            return changed
        }
    }

    static func move(_ sequel: inout CursorSequel, _ moved: (Place) -> Place) {
        (sequel.place, sequel.limit, sequel.live) = (moved(sequel.place), moved(sequel.limit), moved(sequel.live))
    }
}
