/// A number as operators write it: ASCII digits only, no sign, no leading zeros, within `range`; else nil.
func decimal(_ text: some StringProtocol, in range: ClosedRange<Int>) -> Int? {
    let digits = text.utf8
    guard let first = digits.first, digits.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    guard first != 0x30 || digits.count == 1 else { return nil }
    guard let number = Int(text), range.contains(number) else { return nil }
    return number
}
