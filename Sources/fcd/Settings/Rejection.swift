/// Why a value was not taken, as a clause in the operator's words.
struct Rejection: Error, Equatable {
    let why: String
    init(_ why: String) { self.why = why }
}
