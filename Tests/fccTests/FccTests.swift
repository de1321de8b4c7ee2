import Testing

/// The program as people and scripts use it; one test at a time, because each waits for processes.
@Suite("fcc", .serialized)
struct FccTests {}
