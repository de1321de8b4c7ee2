/// One client's connection: the loop that owns it, its slot there, and which user of that slot.
public struct ConnectionKey: Hashable, Sendable {
    public let loop: UInt16
    public let slot: UInt32
    public let generation: UInt32
    @inlinable public init(loop: Int, slot: Int, generation: UInt32) {
        (self.loop, self.slot, self.generation) = (UInt16(clamping: loop), UInt32(clamping: slot), generation)
    }
}
