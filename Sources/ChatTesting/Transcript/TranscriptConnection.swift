/// What a transcript needs of a connection to the server. Used by one thread at a time.
package protocol TranscriptConnection {
    /// Sends `line` and a line end.
    func send(_ line: String) throws

    /// The next line of the server without its line end; nil when the server has closed the connection.
    /// - Throws: when nothing has come within the connection's own patience, or the connection broke.
    func receive() throws -> String?

    func close()
}
