/// Growing memory with one owner: bytes are appended at the end and consumed from the front.
///
/// The storage is raw memory, so that views of it can be handed to system calls and to C without a copy. The buffer is
/// not copyable; whoever holds it owns the bytes, and views (`withReadable`) are valid only inside their closure.
///
/// `@unchecked Sendable`: the value has exactly one owner (it cannot be copied) and nothing else holds the pointer, so
/// moving it to another thread moves all access with it.
public struct ByteBuffer: ~Copyable, @unchecked Sendable {
    public var base: UnsafeMutableRawPointer?
    public var capacity: Int
    /// Offset of the first byte not yet consumed.
    public var reader = 0
    /// Offset behind the last byte appended.
    public var writer = 0

    /// A buffer with room for `capacity` bytes; 0 allocates nothing until the first append.
    @inlinable public init(capacity: Int = 0) {
        self.capacity = capacity
        base = capacity == 0 ? nil : .allocate(byteCount: capacity, alignment: 16)
    }

    @inlinable deinit { base?.deallocate() }

    /// Bytes appended and not yet consumed.
    @inlinable public var count: Int { writer - reader }
    @inlinable public var isEmpty: Bool { writer == reader }

    /// The unconsumed bytes, valid until the next mutation.
    @inlinable public var readable: UnsafeRawBufferPointer {
        guard let base else { return UnsafeRawBufferPointer(start: nil, count: 0) }
        return UnsafeRawBufferPointer(start: base + reader, count: writer - reader)
    }

    /// Makes room for `count` more bytes and returns where they go. Amortised O(1).
    @inlinable public mutating func reserve(_ count: Int) -> UnsafeMutableRawPointer {
        if let base, capacity - writer >= count { return base + writer }
        return grow(count)
    }

    public mutating func grow(_ count: Int) -> UnsafeMutableRawPointer {
        let used = writer - reader
        if let base, capacity - used >= count, reader >= capacity / 2 {
            base.copyMemory(from: base + reader, byteCount: used)
            (reader, writer) = (0, used)
            return base + used
        }
        var size = max(capacity, 64)
        while size - used < count { size *= 2 }
        let larger = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 16)
        if let base {
            larger.copyMemory(from: base + reader, byteCount: used)
            base.deallocate()
        }
        (base, capacity, reader, writer) = (larger, size, 0, used)
        return larger + used
    }

    /// Says that `count` bytes were written at the place `reserve` returned.
    @inlinable public mutating func commit(_ count: Int) {
        precondition(count >= 0 && count <= capacity - writer, "more bytes committed than were reserved")
        writer += count
    }

    @inlinable public mutating func append(_ bytes: UnsafeRawBufferPointer) {
        guard let start = bytes.baseAddress, bytes.count > 0 else { return }
        reserve(bytes.count).copyMemory(from: start, byteCount: bytes.count)
        writer += bytes.count
    }

    @inlinable public mutating func append(byte: UInt8) {
        reserve(1).storeBytes(of: byte, as: UInt8.self)
        writer += 1
    }

    @inlinable @inline(__always) public mutating func append(_ text: StaticString) {
        append(UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    /// Appends the UTF-8 of a string.
    @inlinable public mutating func append(string: String) {
        var copy = string
        copy.withUTF8 { append(UnsafeRawBufferPointer($0)) }
    }

    /// Appends a number in decimal ASCII digits.
    @inlinable public mutating func append(decimal value: UInt64) {
        if value < 10 { return append(byte: UInt8(truncatingIfNeeded: value) &+ 0x30) }
        var (count, limit) = (2, UInt64(100))
        while value >= limit, count < 20 {
            count += 1
            limit = count < 20 ? limit &* 10 : .max
        }
        let room = reserve(count)
        var (rest, at) = (value, count)
        // Two digits a step: the quotient by 100 costs a multiplication, what is left is below 100.
        while rest >= 10 {
            let next = rest / 100
            let two = UInt32(truncatingIfNeeded: rest &- next &* 100)
            let tens = (two &* 103) >> 10
            at -= 2
            let digits = UInt16(truncatingIfNeeded: 0x3030 &+ tens &+ (two &- tens &* 10) << 8)
            room.storeBytes(of: digits.littleEndian, toByteOffset: at, as: UInt16.self)
            rest = next
        }
        if at > 0 { room.storeBytes(of: UInt8(truncatingIfNeeded: rest) &+ 0x30, as: UInt8.self) }
        writer += count
    }

    /// Takes `count` bytes off the front.
    @inlinable public mutating func consume(_ count: Int) {
        precondition(count >= 0 && count <= writer - reader, "more bytes consumed than are there")
        reader += count
        if reader == writer { (reader, writer) = (0, 0) }
    }

    /// Takes the last `count` bytes back.
    @inlinable public mutating func removeLast(_ count: Int) {
        precondition(count >= 0 && count <= writer - reader, "more bytes removed than are there")
        writer -= count
    }

    /// Forgets all bytes and keeps the memory.
    @inlinable public mutating func clear() { (reader, writer) = (0, 0) }

    /// Forgets all bytes and gives the memory back.
    @inlinable public mutating func release() {
        base?.deallocate()
        (base, capacity, reader, writer) = (nil, 0, 0, 0)
    }
}
