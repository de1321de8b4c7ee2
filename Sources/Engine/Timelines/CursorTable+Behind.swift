extension CursorTable {
    /// Bytes of lines that the owner's cursors have in front of them. O(its cursors that are behind, and their chunks).
    package func bytesBehind(_ owner: Int) -> Int {
        var bytes = 0
        forEachBehind(owner) { cursor in
            let (list, end) = (cursor.list.pointee, cursor.readableEnd)
            var place = cursor.place
            while place < end {
                let index = Int(place.ordinal - list.firstOrdinal)
                guard index >= 0, index < Int(list.viewCount) else { return }
                let stop = place.ordinal == end.ordinal ? end.offset : list.views[index].length
                bytes += Int(max(0, stop - place.offset))
                place = Place(ordinal: place.ordinal + 1, offset: 0)
            }
        }
        return bytes
    }
}
