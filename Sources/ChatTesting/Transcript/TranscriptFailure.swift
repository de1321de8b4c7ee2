/// Where and how a server did not behave as its manual says.
package struct TranscriptFailure: Error, Equatable, CustomStringConvertible {
    /// The line in the document, counted from 1.
    package let line: Int
    package let expected: String
    /// What happened in its place.
    package let got: String

    package var description: String {
        """
        line \(line)
          expected: \(expected)
          got:      \(got)
        """
    }
}
