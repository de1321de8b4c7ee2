import SystemIO
import Transport

/// All listening sockets, bound before anything is announced.
struct Ports {
    let chat: [Listener]
    let plain: Listener?
    let blobs: Listener

    /// - Throws: `Failure` naming the address and why it cannot be had.
    init(_ settings: Settings) throws(Failure) {
        var chat: [Listener] = []
        for address in settings.listen.chat { chat.append(try Self.listen(address, isTLS: true, kind: 0)) }
        self.chat = chat
        if let plain = settings.listen.plain {
            self.plain = try Self.listen(plain, isTLS: false, kind: 0)
        } else {
            plain = nil
        }
        blobs = try Self.listen(settings.listen.blobs, isTLS: true, kind: 1)
    }

    var all: [Listener] { chat + (plain.map { [$0] } ?? []) + [blobs] }

    private static func listen(_ address: ListenAddress, isTLS: Bool, kind: Int) throws(Failure) -> Listener {
        guard let socket = SocketAddress(address.description) else {
            throw .configuration("\(address.description): this is no address")
        }
        do throws(Errno) {
            return try Listener(on: socket, isTLS: isTLS, kind: kind)
        } catch {
            throw .running("cannot listen on \(address.description): \(error)")
        }
    }
}
