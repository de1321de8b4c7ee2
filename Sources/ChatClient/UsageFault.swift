/// A command line that is not understood; the text names the culprit and, where there is one, the nearest right word.
package struct UsageFault: Error, Equatable, Sendable {
    package let text: String
    package init(_ text: String) { self.text = text }
}
