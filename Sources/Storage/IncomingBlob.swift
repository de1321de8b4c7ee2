import SystemIO

/// One file on its way into the store. Used by one thread at a time, which has it closed while nothing is written (`rest`), so
/// that slow uploads hold few descriptors.
package final class IncomingBlob {
    let name: String
    private let directory: Directory
    private var file: File?
    /// Bytes written so far.
    package private(set) var count: UInt64 = 0

    init(_ name: String, in directory: Directory) throws(Errno) {
        (self.name, self.directory) = (name, directory)
        file = try directory.open(name, .create)
    }

    package func append(_ bytes: UnsafeRawBufferPointer) throws(Errno) {
        try wake()
        try file?.write(bytes, at: count)
        count += UInt64(bytes.count)
    }

    /// Nothing more is written for a while.
    package func rest() { file = nil }

    func sync() throws(Errno) {
        try wake()
        try file?.sync()
        rest()
    }

    /// Removes the file.
    package func discard() {
        rest()
        try? directory.remove(name)
    }

    private func wake() throws(Errno) {
        if file == nil { file = try directory.open(name, .update) }
    }
}
