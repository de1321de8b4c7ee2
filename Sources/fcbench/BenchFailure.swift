/// Why a run could not be made, for the person at the terminal.
struct BenchFailure: Error { let text: String }
