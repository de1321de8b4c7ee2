import ChatTesting
import Testing

/// A server that still runs after a call has failed under it, held against what it said.
struct ReadOnlyView {
    let scenario: Scenario
    /// What failed.
    let about: Comment

    private var daemon: RunningDaemon { scenario.daemon }
    private var ledger: Ledger { scenario.ledger }

    /// Either nothing is acknowledged any more and everybody is told why, or one thing alone has failed. Reads go on in
    /// both cases and show what was acknowledged.
    /// - Returns: whether it is read-only.
    @discardableResult
    func check() throws -> Bool {
        let admin = try daemon.operatorClient()
        let status = try admin.rows("ADMIN STATUS").first { $0["key"] == "read-only" }
        let reason = status?["value"] ?? ""
        let isReadOnly = reason != "no"
        let health = try daemon.fetch("/health").status
        #expect(health == (isReadOnly ? 503 : 200), about)
        if let first = ledger.writes.firstIndex(where: \.isReadOnly) {
            #expect(isReadOnly, "\(about): \(ledger.writes[first].refusal)")
            let later = ledger.writes[first...].filter(\.isOK)
            #expect(later.isEmpty, "\(about): acknowledged after the failure: \(later)")
        } else {
            #expect(ledger.refusals.count <= 1, "\(about): \(ledger.refusals)")
        }
        if isReadOnly { try checkReason(reason, admin) }
        if let reader = scenario.reader, ledger.writes.contains(where: { $0.isOK && $0.request.contains("JOIN") }) {
            #expect(try reader.allTexts(of: "#room") == ledger.sent["#room"] ?? [], about)
            #expect(try reader.allTexts(of: "#lobby") == ledger.sent["#lobby"] ?? [], about)
        }
        return isReadOnly
    }

    private func checkReason(_ reason: String, _ admin: TestClient) throws {
        #expect(reason.hasPrefix("journal") && reason.contains(": "), "\(about): \(reason)")
        let status = try FcdRun(["status"], data: daemon.data)
        #expect(
            status.lines.contains { $0.hasPrefix("read-only") && $0.contains(reason) },
            "\(about): \(status.output)"
        )
        let refusal = try admin.expectRefusal("ADMIN SNAPSHOT", "INTERNAL")
        #expect(refusal.raw.contains(reason), "\(about): \(refusal)")
    }
}
