import ChatTesting
import Testing

@Suite("What a browser is told of a file (B34)")
struct BlobContentTests {
    @Test(arguments: [
        ("x.html", "text/html"), ("x.svg", "image/svg+xml"), ("x.xml", "text/xml"), ("x.js", "text/javascript"),
        ("x.pdf", "application/pdf"),
        ("x.txt", "text/plain"), ("x.xhtml", "application/xhtml+xml"), ("x.bmp", "image/bmp"), ("x", "multipart/mixed"),
    ])
    func `all but a few kinds are something to save, not to show`(name: String, type: String) throws {
        let scene = try Scene(1)
        let ann = try scene.user()
        let put = try ann.upload(Array("<svg onload=\"alert(1)\"/>".utf8), type: type, "name=\(name)")
        let answer = try scene.daemon.fetch(path(of: put["url"]), token: ann.token)
        #expect(answer["content-type"] == "application/octet-stream")
        #expect(answer["content-disposition"] == "attachment; filename*=UTF-8''\(name)")
        #expect(answer["x-content-type-options"] == "nosniff")
        #expect(answer["content-security-policy"] == "sandbox; default-src 'none'")
    }

    @Test func `a picture is shown, and as safely`() throws {
        let scene = try Scene(2)
        let ann = try scene.user()
        let put = try ann.upload(tinyPicture, type: "image/png", "name=x.png")
        let answer = try scene.daemon.fetch(path(of: put["url"]), token: ann.token)
        #expect(answer["content-type"] == "image/png" && answer["etag"] == "\"\(sha256(tinyPicture))\"")
        #expect(answer["content-disposition"] == "inline; filename*=UTF-8''x.png")
        #expect(answer["cache-control"] == "private, immutable" && answer["accept-ranges"] == "bytes")
        #expect(answer["x-content-type-options"] == "nosniff")
        #expect(answer["content-security-policy"] == "sandbox; default-src 'none'")
        #expect(answer["date"]?.wholeMatch(of: /[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT/) != nil)
    }

    @Test(arguments: [
        (#""a\"\r\nSet-Cookie: s=1""#, "a%22Set-Cookie%3A%20s%3D1"),
        (#""汉字 ملف.png""#, "%E6%B1%89%E5%AD%97%20%D9%85%D9%84%D9%81.png"),
        (#""..\\..\\x""#, ".._.._x"), (#""\"""#, "%22"), (#""\u202egnp.exe""#, "gnp.exe"),
        (#""../../etc/passwd""#, ".._.._etc_passwd"),
        (#""..""#, "file"), (#""\u0085\u2028""#, "file"),
    ])
    func `a hostile name is nothing but a name, in header and URL`(name: String, shown: String) throws {
        let scene = try Scene(1)
        let ann = try scene.user()
        let put = try ann.upload(Array("x".utf8), type: "text/plain", "name=\(name)")
        #expect(put["url"]?.hasSuffix("/\(shown)") == true, "\(put)")
        let answer = try scene.daemon.fetch(path(of: put["url"]), token: ann.token)
        #expect(answer.status == 200)
        #expect(answer["content-disposition"] == "attachment; filename*=UTF-8''\(shown)")
        #expect(!answer.fields.contains { $0.name == "set-cookie" })
    }
}
