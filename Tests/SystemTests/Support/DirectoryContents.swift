import Foundation

/// All files below a directory with their bytes, to compare before and after.
struct DirectoryContents: Equatable {
    let files: [String: Data]

    init(_ path: String) throws {
        var files: [String: Data] = [:]
        for name in FileManager.default.enumerator(atPath: path)?.compactMap({ $0 as? String }) ?? [] {
            files[name] = FileManager.default.contents(atPath: path + "/" + name) ?? Data()
        }
        self.files = files
    }

    /// The names of files with `text` in them, sorted.
    func names(holding text: String) -> [String] {
        files.filter { $0.value.range(of: Data(text.utf8)) != nil }.map(\.key).sorted()
    }
}
