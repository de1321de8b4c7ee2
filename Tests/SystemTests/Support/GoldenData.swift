import ChatTesting
import Foundation
import TLS

/// Data that an earlier version left (Tests/Golden/make.sh), copied for one test: the data directory, a backup of it, and
/// the talk that tells its content.
final class GoldenData: Sendable {
    /// A journal alone; a snapshot with a journal behind it and a blob.
    static let names = ["journal-1", "snapshot-1", "journal-2", "snapshot-2", "journal-3", "snapshot-3"]

    private let holder = TemporaryDirectory()
    private let name: String

    private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appendingPathComponent("Golden").path

    init(_ name: String) throws {
        self.name = name
        try FileManager.default.copyItem(atPath: "\(Self.root)/\(name)/data", toPath: data)
        try FileManager.default.copyItem(atPath: "\(Self.root)/\(name)/backup", toPath: backup)
    }

    var data: String { holder.path + "/data" }
    var backup: String { holder.path + "/backup" }
    /// Where a restore may put it.
    var restored: String { holder.path + "/restored" }

    /// The files as they are now; of those that were there when it was made.
    func contents() throws -> [String: Data] {
        let golden = try DirectoryContents("\(Self.root)/\(name)/data")
        return try DirectoryContents(data).files.filter { golden.files[$0.key] != nil }
    }

    /// Whether a daemon tells what was told when the data was made.
    func isTold(by daemon: RunningDaemon) throws -> Bool {
        let talk = readWhole("\(Self.root)/\(name)/talk").split(separator: "\n").map(String.init)
        var client = try daemon.client()
        var told: [String] = []
        for request in talk where request.hasPrefix("> ") {
            if request.hasPrefix("> AUTH ") { client = try daemon.client() }
            let reply = try client.request(String(request.dropFirst(2)))
            told += (reply.rows + [reply.final]).map(\.withoutTag)
        }
        let expected = talk.filter { $0.hasPrefix("< ") }.map { String($0.dropFirst(2)) }
        let found = told.map { $0.replacing(/(token|url)=[^ ]+/) { "\($0.output.1)=*" } }
        return expected == found
    }

    /// Changes the text of a file, and of what holds its checksum.
    func edit(_ file: String, _ old: String, _ new: String) throws {
        let path = URL(fileURLWithPath: data + "/" + file)
        let before = try Data(contentsOf: path)
        let text = String(decoding: before, as: UTF8.self).replacing(old, with: new, maxReplacements: 1)
        try Data(text.utf8).write(to: path)
        guard file.hasPrefix("snapshot/"), !file.hasSuffix("manifest.json") else { return }
        try edit("snapshot/manifest.json", sum(String(decoding: before, as: UTF8.self)), sum(text))
        let manifest = readWhole(data + "/snapshot/manifest.json")
        let body = manifest.components(separatedBy: "\n],\n\"sha256\"")[0]
        try Data((body + "\n],\n\"sha256\":\"\(sum(body))\"}\n").utf8).write(
            to: URL(fileURLWithPath: data + "/snapshot/manifest.json")
        )
    }

    private func sum(_ text: String) -> String { SHA256Digest.of(string: text).hex }
}
