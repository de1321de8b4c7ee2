import ChatModel

extension Request {
    /// `[max=N|all] [age=30d|all]` of RETAIN.
    func retention() throws(Refusal) -> Retention {
        Retention(
            max: isAll(.max) ? Retention.allMessages : try number(.max, in: 1...1_000_000_000),
            age: isAll(.age) ? Retention.everyAge : try duration(.age)
        )
    }

    private func isAll(_ key: OptionKey) -> Bool {
        self[key]?.withBytes { $0.elementsEqual("all".utf8) } ?? false
    }
}
