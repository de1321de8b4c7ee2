/// What happens to a call that changes a file, and to which.
package struct FileFault: Sendable, CustomStringConvertible {
    /// In the order of CFaults.h, FC_ACTION_….
    package enum Action: Sendable, Equatable {
        /// The process ends (SIGKILL) without having made the call.
        case killBefore
        /// The process ends as soon as the call has returned.
        case killAfter
        /// The call is not made and fails with this errno(3).
        case fail(Int32)
        /// A write takes half of its bytes; other calls are made as they are.
        case shortWrite
        /// The call fails with EINTR; made again it goes through.
        case interrupt
    }

    package let action: Action
    /// The number, among the calls that fit, of the one it happens to; the first is 1.
    package let at: Int
    /// It happens to all that follow, too.
    package let isLasting: Bool
    /// The calls that fit; empty: all.
    package let kinds: [FileCall.Kind]
    package let places: [FileCall.Place]

    package init(
        _ action: Action,
        at: Int = 1,
        isLasting: Bool = false,
        kinds: [FileCall.Kind] = [],
        places: [FileCall.Place] = []
    ) {
        (self.action, self.at, self.isLasting) = (action, at, isLasting)
        (self.kinds, self.places) = (kinds, places)
    }

    package var description: String {
        let which = (kinds.map(\.rawValue) + places.map(\.rawValue)).joined(separator: ", ")
        return "\(action) at \(at)\(isLasting ? " and after" : "")\(which.isEmpty ? "" : " of \(which)")"
    }

    var number: Int64 {
        switch action {
        case .killBefore: 1
        case .killAfter: 2
        case .fail: 3
        case .shortWrite: 4
        case .interrupt: 5
        }
    }

    var error: Int64 {
        if case .fail(let code) = action { Int64(code) } else { 0 }
    }
}
