import ChatClient

/// Judges the server's certificate by its fingerprint, with the person's help at first contact.
struct PinJudge {
    let endpoint: Endpoint
    /// What `--fingerprint` says.
    let named: Fingerprint?

    /// Returns when the certificate is accepted; true when the person had to be asked, which took time.
    /// - Throws: `Failure` when it is refused.
    func accepts(_ shown: Fingerprint, known: Fingerprint?) throws(Failure) -> Bool {
        switch PinDecision.decide(shown: shown, known: known, named: named) {
        case .accept, .learn: return false
        case .ask:
            try ask(shown)
            return true
        case .refuseOther:
            throw Failure(
                .certificate,
                "the certificate of \(endpoint) is not the one named by --fingerprint; it is\n  \(shown)"
            )
        case .refuseChanged: throw Failure(.certificate, changed(shown, known))
        }
    }

    private func ask(_ shown: Fingerprint) throws(Failure) {
        let words = "the certificate of \(endpoint) is not known yet; its SHA-256 fingerprint is\n  \(shown)\n"
        guard Terminal.isThere else {
            throw Failure(
                .certificate,
                words + "compare it with what fcd shows at its start (cert-sha256=), and accept it with\n"
                    + "  --fingerprint \(shown)"
            )
        }
        Output.prompt(words.prefix(1).uppercased() + words.dropFirst())
        guard Terminal.confirms("Is it what fcd shows at its start (cert-sha256=)?") else {
            throw Failure(.certificate, "the certificate was not accepted")
        }
    }

    private func changed(_ shown: Fingerprint, _ known: Fingerprint?) -> String {
        """
        THE CERTIFICATE OF \(endpoint) HAS CHANGED
        @@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@
        Somebody may be listening between you and the server, or the
        operator has given it a new certificate. Nothing was sent.
          known: \(known.map { "\($0)" } ?? "")
          shown: \(shown)
        If the operator confirms the new one, accept it with
          --fingerprint \(shown)
        """
    }
}
