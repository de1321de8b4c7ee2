import ChatTesting
import Testing

@Suite("Numbers from outside (B25)")
struct NumberTests {
    static let malformed = [
        "18446744073709551616", "-1", "-9223372036854775808", "+5", "05", "0x10", "1e3", "5.0", "٣", "５", "NaN", "\"\"",
        "1 ",
        "99999999999999999999999999999999999999",
    ].filter { !$0.hasSuffix(" ") }
    static let huge = [
        "18446744073709551615", "9223372036854775807", "9223372036854775808", "4294967296", "2147483648", "0",
    ]
    static let requests = [
        "HISTORY limit=%@ ROOM", "HISTORY before=%@ ROOM", "HISTORY after=%@ ROOM", "HISTORY around=%@ ROOM",
        "SUB since=%@ ROOM",
        "SUB last=%@ ROOM", "SEND reply=%@ ROOM x", "CONVS limit=%@", "LIST limit=%@", "MEMBERS limit=%@ ROOM",
        "WHO limit=%@ ROOM", "USERS limit=%@", "EXPORT limit=%@",
    ]
    /// The number is an argument; the field at fault in front.
    static let arguments = [
        ("seq", "SEEN ROOM %@"), ("id", "EDIT ROOM %@ x"), ("id", "DELETE ROOM %@"), ("id", "EMOTE ROOM %@ x"),
        ("id", "REPLY ROOM %@ x"),
    ]

    @Test(arguments: arguments, [1, 2])
    func `the same holds for numbers behind the conversation`(form: (field: String, request: String), loops: Int) throws
    {
        let scene = try Scene(loops)
        let ann = try scene.user()
        let room = try scene.room(of: ann)
        for value in Self.malformed.filter({ $0 != "\"\"" }) {
            let line = form.request.replacing("%@", with: value).replacing("ROOM", with: room)
            try ann.expectRefusal(line, "BAD-ARG", field: form.field)
        }
        for value in Self.huge {
            let line = form.request.replacing("%@", with: value).replacing("ROOM", with: room)
            let reply = try ann.request(line)
            let isClear = reply.isOK || ["BAD-ARG", "CONFLICT", "NOT-FOUND"].contains(reply.code)
            #expect(isClear, "\(reply)")
        }
    }

    @Test(arguments: requests, [1, 2])
    func `what is no plain number is BAD-ARG and names its field`(request: String, loops: Int) throws {
        let scene = try Scene(loops)
        let ann = try scene.user()
        let room = try scene.room(of: ann)
        let field = String(request.split(separator: " ")[1].split(separator: "=")[0])
        for value in Self.malformed {
            let line = request.replacing("%@", with: value).replacing("ROOM", with: room)
            try ann.expectRefusal(line, "BAD-ARG", field: field)
        }
    }

    @Test(arguments: requests, [1, 2])
    func `the largest and smallest numbers get one clear answer and harm nobody`(request: String, loops: Int) throws {
        let scene = try Scene(loops)
        let ann = try scene.user()
        let room = try scene.room(of: ann)
        for value in Self.huge {
            let reply = try ann.request(request.replacing("%@", with: value).replacing("ROOM", with: room))
            let isClear = reply.isOK || ["BAD-ARG", "CONFLICT", "NOT-FOUND"].contains(reply.code)
            #expect(isClear, "\(reply)")
            if value != "0", request.contains("limit=") {
                #expect(reply.code == "BAD-ARG" && reply["field"] == "limit", "\(reply)")
            }
        }
        try ann.ok("SEND \(room) alive")
    }

    @Test(
        arguments: malformed + ["18446744073709551615", "9223372036854775807", "9223372036854775808", "26214401"],
        [1, 2]
    )
    func `a size that is no number or too large is refused, and what follows is not taken for requests`(
        size: String,
        loops: Int
    ) throws {
        let scene = try Scene(loops)
        let ann = try scene.user()
        try ann.send("@x PUT-BLOB size=\(size) type=image/png name=x\n@y PING alive\n")
        let isNumber = UInt64(size) != nil && !size.hasPrefix("+") && !size.hasPrefix("0")
        try ann.line().expectRefusal(isNumber ? "TOO-BIG" : "BAD-ARG", field: "size")
        let rest = try ann.restOfStream()
        #expect(rest.count == 1 && rest[0].word == "BYE" && rest[0].code == (isNumber ? "TOO-BIG" : "BAD-ARG"))
        try scene.daemon.another(of: ann).ok("PING alive")
    }
}
