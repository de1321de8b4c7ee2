import ChatClient
import Glibc
import SystemIO
import TLS

extension Connection {
    /// Milliseconds for the TCP connection to one address, and for the TLS handshake.
    private static let openLimit: Int32 = 10_000

    /// Connects to the first address of `endpoint` that answers, and speaks TLS with it. Whose certificate it is must
    /// be judged by the caller, before anything secret is sent.
    /// - Throws: `Failure` when there is no connection.
    static func open(_ endpoint: Endpoint, waiter: Waiter) throws(Failure) -> Connection {
        let addresses: [ClientSocket.Address]
        do {
            addresses = try ClientSocket.resolve(host: endpoint.host, port: endpoint.port)
        } catch {
            throw .lost("no connection to \(endpoint): \(error)")
        }
        var reason = "it has no address"
        for address in addresses {
            do {
                return try secure(try connect(address, waiter), endpoint, waiter)
            } catch {
                if error.text == nil { throw error }
                reason = error.text ?? reason
            }
        }
        throw .lost("no connection to \(endpoint): \(reason)")
    }

    private static func connect(_ address: ClientSocket.Address, _ waiter: Waiter) throws(Failure) -> Descriptor {
        let socket: Descriptor
        do {
            socket = try ClientSocket.begin(address)
        } catch {
            throw .lost("\(error)")
        }
        var watches = [Watch(socket.number, output: true)]
        guard try waiter.wait(for: &watches, milliseconds: openLimit) else { throw .lost("it does not answer") }
        do {
            try ClientSocket.conclude(socket.number)
        } catch {
            throw .lost("\(error)")
        }
        return socket
    }

    private static func secure(
        _ socket: consuming Descriptor,
        _ endpoint: Endpoint,
        _ waiter: Waiter
    ) throws(Failure) -> Connection {
        let tls: TLSSession
        do {
            let context = try TLSContext.client()
            tls = try TLSSession(client: context, descriptor: socket.number, serverName: endpoint.host)
        } catch {
            throw .lost("\(error)")
        }
        let end = Clock.monotonicNanoseconds + UInt64(openLimit) * 1_000_000
        while true {
            let watch: Watch
            switch tls.handshake() {
            case .bytes:
                guard let shown = tls.peerFingerprint.flatMap({ Fingerprint($0) }) else {
                    throw .lost("it shows no certificate")
                }
                return Connection(tls: tls, socket: socket, fingerprint: shown, waiter: waiter)
            case .wantRead: watch = Watch(socket.number, input: true)
            case .wantWrite: watch = Watch(socket.number, output: true)
            case .closed: throw .lost("it hung up during the TLS handshake")
            case .failed(let fault): throw .lost("it does not speak TLS as we do: \(fault)")
            }
            var watches = [watch]
            let now = Clock.monotonicNanoseconds
            guard now < end, try waiter.wait(for: &watches, milliseconds: Int32((end - now) / 1_000_000) + 1) else {
                throw .lost("its TLS handshake takes too long")
            }
        }
    }
}
