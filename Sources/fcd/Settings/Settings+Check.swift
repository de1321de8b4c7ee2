extension Settings {
    /// Checks what single ranges cannot say.
    /// - Throws: `UsageFault.contradiction`.
    func checkTogether() throws(UsageFault) {
        if tls.certificate != nil, tls.key == nil { throw .contradiction("tls.certificate is given without tls.key") }
        if tls.key != nil, tls.certificate == nil { throw .contradiction("tls.key is given without tls.certificate") }
        var taken: Set<ListenAddress> = []
        for address in listen.chat + [listen.plain, listen.blobs].compactMap({ $0 }) {
            if address.family != .unix, address.port == 0 { continue }
            if !taken.insert(address).inserted {
                throw .contradiction("\(address) is given for two ports (listen.chat, listen.plain, listen.blobs)")
            }
        }
    }
}
