import Glibc
import Storage
import SystemIO
import Testing

@Suite("Durability") struct DurabilityTests {
    @Test func `a batch is told durable once it is on disk`() throws {
        let directory = TemporaryDirectory()
        let told = SystemIO.Lock<[UInt64]>([])
        let journal = FileJournal(
            directory: directory.storage,
            onDurable: { mark in told.withLock { (told: inout [UInt64]) in told.append(mark) } }
        )
        _ = try journal.texts()
        #expect(journal.durable == 0)
        journal.append(["a", "b"], behind: 0)
        #expect(journal.reaches(2) && journal.synced == 2)
        journal.append(["c"], behind: 2)
        #expect(journal.reaches(3))
        journal.seal()
        #expect(told.withLock { (told: inout [UInt64]) -> [UInt64] in told } == [2, 3])
    }

    @Test func `sealing writes what was appended and takes nothing more`() throws {
        let directory = TemporaryDirectory()
        let journal = FileJournal(directory: directory.storage)
        _ = try journal.texts()
        journal.append(["a"], behind: 0)
        journal.seal()
        journal.append(["b"], behind: 1)
        journal.seal()
        #expect(journal.durable == 1)
        #expect(try recovered(directory).texts == ["a"])
    }

    @Test func `with an interval a batch is durable when written and synced within the interval`() throws {
        let directory = TemporaryDirectory()
        let settings = JournalSettings(durability: .interval(seconds: 0.3))
        let journal = FileJournal(directory: directory.storage, settings: settings)
        _ = try journal.texts()
        journal.append(["first"], behind: 0)
        #expect(journal.reaches(1) && journal.synced == 1, "what begins a run is on disk before anything is said")
        let start = Clock.monotonicNanoseconds
        journal.append(["a"], behind: 1)
        #expect(journal.reaches(2))
        if Clock.monotonicNanoseconds - start < 200_000_000 { #expect(journal.synced == 1) }
        #expect(holds { journal.synced == 2 })
        #expect(Clock.monotonicNanoseconds - start >= 300_000_000)
        journal.append(["b"], behind: 2)
        journal.seal()
        #expect(journal.synced == 3)
        #expect(try recovered(directory).texts == ["first", "a", "b"])
    }

    @Test func `after a failed write nothing more is durable, and it is told once`() async {
        // In a process of its own, because the limit on file sizes is the process's.
        await #expect(processExitsWith: .success) {
            signal(SIGXFSZ, SIG_IGN)
            var limit = rlimit(rlim_cur: 4096, rlim_max: 4096)
            setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
            let directory = TemporaryDirectory()
            let failures = SystemIO.Lock<[JournalFault]>([])
            let journal = FileJournal(
                directory: directory.storage,
                onFailure: { fault in failures.withLock { (all: inout [JournalFault]) in all.append(fault) } }
            )
            _ = try journal.texts()
            journal.append(["small"], behind: 0)
            #expect(journal.reaches(1))
            journal.append([String(repeating: "x", count: 5000)], behind: 1)
            #expect(holds { failures.withLock { (all: inout [JournalFault]) -> Bool in all.count == 1 } })
            journal.append(["late"], behind: 2)
            journal.seal()
            #expect(journal.durable == 1 && journal.synced == 1)
            let told = failures.withLock { (all: inout [JournalFault]) -> [JournalFault] in all }
            #expect(told == [.system(file: "journal/" + firstSegment, Errno(code: EFBIG, call: "pwrite"))])
            #expect("\(told)".contains("File too large"))
            var texts: [String] = []
            _ = try journal.replay(after: 0, through: 1) { texts.append(String(decoding: $0.payload, as: UTF8.self)) }
            #expect(texts == ["small"])
        }
    }
}
