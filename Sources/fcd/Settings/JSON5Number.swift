/// Numbers of JSON5 (https://spec.json5.org, section 6).
enum JSON5Number {
    /// What `word` says: whole numbers that `Int` holds as such, however they are written (`1e3`, `0x10`); nil: no number.
    static func value(of word: String) -> ConfigValue? {
        let isNegative = word.hasPrefix("-")
        let digits = isNegative || word.hasPrefix("+") ? word.dropFirst() : word[...]
        let sign = isNegative ? "-" : ""
        switch digits {
        case "Infinity": return .fraction(isNegative ? -.infinity : .infinity)
        case "NaN": return .fraction(.nan)
        default: break
        }
        if digits.hasPrefix("0x") || digits.hasPrefix("0X") { return hexadecimal(digits.dropFirst(2), sign: sign) }
        guard let parts = parts(of: digits.utf8) else { return nil }
        if parts.fraction.isEmpty, parts.exponent.isEmpty, let whole = Int(sign + parts.whole) {
            return .integer(whole)
        }
        let exponent = parts.exponent.isEmpty ? "0" : parts.exponent
        guard let number = Double("\(sign)\(parts.whole).\(parts.fraction)0e\(exponent)") else { return nil }
        return Int(exactly: number).map(ConfigValue.integer) ?? .fraction(number)
    }

    private static func hexadecimal(_ digits: Substring, sign: String) -> ConfigValue? {
        guard !digits.isEmpty, digits.unicodeScalars.allSatisfy(\.properties.isASCIIHexDigit) else { return nil }
        if let number = Int(sign + digits, radix: 16) { return .integer(number) }
        return Double("\(sign)0x\(digits)").map(ConfigValue.fraction)
    }

    /// The pieces of a decimal number without its sign, each of digits only but for the sign of the exponent.
    private static func parts(of text: Substring.UTF8View) -> (whole: String, fraction: String, exponent: String)? {
        var rest = text[...]
        func digits() -> String {
            let run = rest.prefix(while: JSON5Reader.isDigit)
            rest = rest[run.endIndex...]
            return String(Substring(run))
        }
        var parts = (whole: digits(), fraction: "", exponent: "")
        if rest.first == UInt8(ascii: ".") {
            rest = rest.dropFirst()
            parts.fraction = digits()
        }
        if parts.whole.isEmpty {
            if parts.fraction.isEmpty { return nil }
            parts.whole = "0"
        } else if parts.whole.hasPrefix("0"), parts.whole != "0" {
            return nil
        }
        if rest.first == UInt8(ascii: "e") || rest.first == UInt8(ascii: "E") {
            rest = rest.dropFirst()
            var sign = ""
            if rest.first == UInt8(ascii: "-") { sign = "-" }
            if rest.first == UInt8(ascii: "-") || rest.first == UInt8(ascii: "+") { rest = rest.dropFirst() }
            let digits = digits()
            if digits.isEmpty { return nil }
            parts.exponent = sign + digits
        }
        return rest.isEmpty ? parts : nil
    }
}
