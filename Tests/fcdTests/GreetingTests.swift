import Testing

@testable import fcd

@Suite("The greeting at a terminal") struct GreetingTests {
    @Test(arguments: [
        ("127.0.0.1:7700", "127.0.0.1:7700"),
        ("0.0.0.0:7700", "127.0.0.1:7700"),
        ("[::]:17700", "[::1]:17700"),
        ("192.0.2.7:7700", "192.0.2.7:7700"),
    ])
    func `the line to try names an address that this host can connect to`(listened: String, shown: String) {
        #expect(Greeting.text(chat: listened).contains("-connect \(shown)\n"))
    }
}
