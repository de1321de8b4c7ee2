/// One client's connection: the loop that owns it, its slot there, and which user of that slot.
package struct ConnectionKey: Hashable, Sendable {
    package let loop: UInt16
    package let slot: UInt32
    package let generation: UInt32
    package init(loop: Int, slot: Int, generation: UInt32) {
        (self.loop, self.slot, self.generation) = (UInt16(clamping: loop), UInt32(clamping: slot), generation)
    }
}
