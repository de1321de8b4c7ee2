/// An e-mail address: form checked, unique without regard to case, never shown to others (protocol.md, Accounts).
package struct EmailAddress: Hashable, Sendable {
    package let text: String
    package let key: String

    package init(trusted text: String) { (self.text, self.key) = (text, NameFolding.key(of: text)) }

    /// Local part without `=`, one `@`, a domain with a dot inside, at most 254 bytes, no blanks or controls.
    /// - Throws: `Refusal` BAD-ARG with `field=email`.
    package init(checking given: String) throws(Refusal) {
        // By scalars: to Swift an @ with a mark behind it is another character.
        let parts = given.unicodeScalars.split(separator: "@" as Unicode.Scalar, omittingEmptySubsequences: false)
        guard given.utf8.count <= 254, parts.count == 2, !parts[0].isEmpty, !parts[0].contains("="),
            Self.isDomain(parts[1]),
            given.unicodeScalars.allSatisfy({ !$0.properties.isWhitespace && NameFolding.isAllowedInAddress($0) })
        else { throw .badArg("email", "an address is local@domain.tld, at most 254 bytes") }
        self.init(trusted: given)
    }

    private static func isDomain(_ text: Substring.UnicodeScalarView) -> Bool {
        let labels = text.split(separator: "." as Unicode.Scalar, omittingEmptySubsequences: false)
        return labels.count >= 2
            && labels.allSatisfy { label in
                label.first.map { !NameFolding.joinsWhatIsBefore($0) } ?? false
            }
    }
}

extension NameFolding {
    /// Whether `scalar` may stand in an e-mail address.
    package static func isAllowedInAddress(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .surrogate, .unassigned, .privateUse: return false
        default: return scalar != "\"" && scalar != ","
        }
    }
}
