import ChatModel

/// SEARCH.
extension CommandParser {
    static func search(_ request: inout Request) throws(Refusal) -> Command {
        let (limit, author) = (try request.limit(), request.string(.by))
        let (after, before) = (try request.position(.after), try request.position(.before))
        let target = try request.conversation()
        let words = try words(request.words.rest())
        return .search(
            Search(target: target, words: words, author: author, after: after, before: before, limit: limit)
        )
    }

    private static func words(_ rest: UnsafeRawBufferPointer?) throws(Refusal) -> SearchWords {
        do throws(SearchWords.Fault) {
            return try SearchWords(rest.map { String(decoding: $0, as: UTF8.self) } ?? "")
        } catch {
            switch error {
            case .none: throw .badArg("words", "what is looked for is missing")
            case .tooMany(let count):
                throw Refusal(
                    .tooLong,
                    field: "words",
                    details: [.number("limit", SearchWords.limit), .number("got", count)],
                    "these are too many words"
                )
            }
        }
    }
}
