import ChatCore
import ChatModel
import ChatTesting
import Testing

@Suite("Guests that come and go") struct PassingGuestTests {
    let world = World()

    @Test func `leave no trace: their numbers are given to others`() throws {
        let first = try world.guest(word: 1)
        world.state.removeUnrecordedGuest(first)
        for word in 2...1000 {
            let guest = try world.guest(word: UInt64(word))
            #expect(guest == first)
            world.state.removeUnrecordedGuest(guest)
        }
        let ada = try world.signUp("ada")
        #expect(ada == first)
        #expect(try world.signUp("bob") != ada)
    }

    @Test func `the number of a guest that was written down is never given again`() throws {
        let guest = try world.guest(word: 1)
        try world.send("lobby", guest)
        world.state.removeUnrecordedGuest(guest)
        world.apply(world.state.decideExpire(guest, now: world.now))
        #expect(try world.signUp("ada") != guest)
    }

    @Test func `an invited guest is written down in front of its invitation`() throws {
        let ada = try world.signUp("ada")
        try world.create("den", by: ada, isPrivate: true)
        let guest = try world.guest(word: 1)
        try world.invite(world.state.handleText(guest), to: "den", by: ada)
        #expect(world.state.isRecorded(guest))
    }
}
