import ChatModel

extension Location {
    /// Reads `lat,lon` or `lat:lon`: decimal degrees, a minus allowed, −90 to 90 and −180 to 180, at most 12 decimals;
    /// the digits are kept as written. Nil for anything else.
    init?(parsing bytes: UnsafeRawBufferPointer) {
        guard let middle = bytes.firstIndex(where: { $0 == 0x2C || $0 == 0x3A }) else { return nil }
        let latitude = UnsafeRawBufferPointer(rebasing: bytes[..<middle])
        let longitude = UnsafeRawBufferPointer(rebasing: bytes[(middle + 1)...])
        guard Self.isDegrees(latitude, atMost: 90), Self.isDegrees(longitude, atMost: 180) else { return nil }
        self.init(
            latitude: String(decoding: latitude, as: UTF8.self),
            longitude: String(decoding: longitude, as: UTF8.self)
        )
    }

    private static func isDegrees(_ bytes: UnsafeRawBufferPointer, atMost most: UInt64) -> Bool {
        let number = bytes.first == 0x2D ? bytes.dropFirst() : bytes[...]
        let point = number.firstIndex(of: 0x2E)
        let whole = Number.parse(UnsafeRawBufferPointer(rebasing: number[..<(point ?? number.endIndex)]))
        guard let whole, whole <= most else { return false }
        guard let point else { return true }
        let decimals = number[(point + 1)...]
        guard (1...12).contains(decimals.count), decimals.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }) else { return false }
        return whole < most || decimals.allSatisfy { $0 == 0x30 }
    }
}
