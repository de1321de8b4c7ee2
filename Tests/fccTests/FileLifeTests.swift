import ChatTesting
import Foundation
import Testing

extension FccTests {
    @Suite("Files that were uploaded, at a real server")
    struct FileLifeTests {
        private let fcc: Fcc
        private let daemon: RunningDaemon
        private let ada: TestClient

        init() throws {
            fcc = try Fcc()
            daemon = try SharedDaemon.with(loops: 2)
            ada = try daemon.user(SharedDaemon.name("ada"))
            try fcc.signIn(ada, at: daemon)
        }

        @Test func `They are listed, shared by a link, and taken away`() throws {
            let ids = try (0..<3).map { number in
                try #require(try ada.upload([1, 2, UInt8(number)], "name=\"f \(number)\"")["blob"])
            }
            let listed = try fcc.succeed("blobs").split(separator: "\n")
            #expect(listed.map { $0.prefix(24) } == ids.map { $0[...] } && listed.allSatisfy { $0.hasSuffix("size=3") })
            #expect(try Fcc.objects(try fcc.succeed("blobs", "--json")).compactMap { $0["blob"] as? String } == ids)
            let url = try fcc.succeed("share", "1h", ids[0]).trimmingCharacters(in: .newlines)
            #expect(url.contains("?exp=") && url.contains("&sig="))
            #expect(try daemon.fetch(path(of: url)).body == [1, 2, 0])
            #expect(try fcc.succeed("unshare", ids[0]).isEmpty)
            #expect(try daemon.fetch(path(of: url)).status == 404)
            #expect(try fcc.succeed("del-blob", ids[0]).isEmpty)
            let again = try fcc.run("del-blob", ids[0])
            #expect(again.code == 1 && again.err.hasPrefix("fcc: NOT-FOUND"), "\(again.err)")
            #expect(try fcc.succeed("blobs").split(separator: "\n").count == 2)
            #expect(try fcc.run("share", "60d", ids[1]).code == 1)
        }
    }
}
