import CICU
import ChatModel
import Testing

@Suite("The library ICU") struct ICULibraryTests {
    @Test func `is found without being loaded`() {
        #expect(NameFolding.trouble == nil)
        #expect(fc_library_exists(fc_icu_name()) != 0)
    }

    @Test(arguments: ["libnowhere.so.1", "", String(repeating: "x", count: 5000)])
    func `that is not there is not found`(name: String) {
        #expect(fc_library_exists("\(name).so.1") == 0)
    }
}
