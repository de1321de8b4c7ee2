/// A journal record that is whole but says what this version does not understand.
package struct RecordFault: Error, Sendable, CustomStringConvertible {
    package let reason: String
    package init(_ reason: String) { self.reason = reason }
    package var description: String { reason }
}
