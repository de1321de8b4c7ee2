import Foundation
import SystemIO
import Testing

@Suite("The environment") struct ProcessEnvironmentTests {
    @Test func `all variables are there, as Foundation sees them`() {
        #expect(ProcessEnvironment.variables["PATH"]?.isEmpty == false)
        #expect(ProcessEnvironment.variables == ProcessInfo.processInfo.environment)
    }
}
