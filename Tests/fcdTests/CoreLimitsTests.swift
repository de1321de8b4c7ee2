import ChatModel
import Testing

@testable import fcd

@Suite("The limits of the core") struct CoreLimitsTests {
    @Test func `are those of the settings`() throws {
        var sources = SettingSources()
        sources.sets = [
            ("limits.text", "11"), ("limits.line", "1212"), ("limits.conversations-owned", "13"),
            ("limits.conversations-joined", "14"), ("limits.sessions", "15"), ("limits.nonces", "16"),
            ("limits.subscriptions", "17"), ("limits.guest-idle", "18"), ("auth.anonymous", "off"),
            ("auth.anonymous-create", "on"), ("auth.password-rule", "classes6"), ("auth.signup", "closed"),
            ("limits.items", "20"), ("history.max-messages", "19"), ("history.max-age", "86400"),
        ].map { SettingSources.Given(origin: .set, name: $0.0, text: $0.1) }
        let core = try sources.load().settings.coreLimits
        #expect((core.text, core.line, core.conversationsOwned, core.conversationsJoined) == (11, 1212, 13, 14))
        #expect((core.sessions, core.nonces, core.subscriptions, core.guestDays) == (15, 16, 17, 18))
        #expect(core.items == 20)
        #expect((core.anonymous, core.anonymousCreate) == (false, true))
        #expect((core.passwordRule, core.signUp) == (.classes6, .closed))
        #expect(core.retention == Retention(max: 19, age: 86_400))
    }

    @Test func `have the same defaults as the settings`() {
        let (core, own) = (ChatModel.Limits(), Settings().coreLimits)
        #expect(
            (core.text, core.line, core.conversationsOwned, core.conversationsJoined) == (
                own.text, own.line, own.conversationsOwned, own.conversationsJoined
            )
        )
        #expect(
            (core.sessions, core.nonces, core.subscriptions, core.guestDays) == (
                own.sessions, own.nonces, own.subscriptions, own.guestDays
            )
        )
        #expect((core.anonymous, core.anonymousCreate) == (own.anonymous, own.anonymousCreate))
        #expect((core.passwordRule, core.signUp) == (own.passwordRule, own.signUp))
        #expect(core.items == own.items)
        #expect(core.retention == own.retention && own.retention == Retention())
    }
}
