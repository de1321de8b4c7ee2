/// What the command line asks for.
enum Invocation: Sendable, Equatable {
    /// Print `Help.text` and end well.
    case help
    /// Print `Help.version` and end well.
    case version
    case serve(ServeRequest)
    case command(CommandRequest)

    /// Reads the arguments after the program's name, and keeps `environment` for the settings.
    ///
    /// The values of settings are not checked here but by `SettingSources.load`.
    /// - Throws: `UsageFault` for the first argument that is wrong.
    static func parse(_ arguments: [String], environment: [String: String] = [:]) throws(UsageFault) -> Invocation {
        var reader = ArgumentReader(arguments)
        var request = ServeRequest()
        request.sources.environment = environment
        var words: [String] = []
        var isJSON = false
        var isConfirmed = false
        var (uses, expires): (String?, String?)
        while let argument = reader.next() {
            guard argument.hasPrefix("-"), argument != "-" else {
                if words.isEmpty { try check(command: argument) }
                if words == ["serve"] { throw .unwantedArgument(argument) }
                words.append(argument)
                continue
            }
            switch try reader.option(argument) {
            case .help: return .help
            case .version: return .version
            case .json: isJSON = true
            case .yes: isConfirmed = true
            case .uses: uses = try reader.value(of: .uses)
            case .expires: expires = try reader.value(of: .expires)
            case .data: request.dataDirectory = try path(.data, &reader)
            case .config: request.sources.configFile = try path(.config, &reader)
            case .chat: request.chat(try reader.value(of: .chat))
            case .plain: request.option(.plain, "listen.plain", try reader.value(of: .plain))
            case .blobs: request.option(.blobs, "listen.blobs", try reader.value(of: .blobs))
            case .set: request.sources.sets.append(try pair(try reader.value(of: .set)))
            }
        }
        let invitation: Option? = uses != nil ? .uses : expires != nil ? .expires : nil
        guard var action = try CommandRequest.Action(words) else {
            if isJSON { throw .unwantedArgument("--json") }
            if isConfirmed { throw .unwantedArgument("--yes") }
            if let invitation { throw .unwantedArgument(invitation.rawValue) }
            return .serve(request)
        }
        if isConfirmed {
            guard case .repair = action else { throw .unwantedArgument("--yes") }
            action = .repair(isConfirmed: true)
        }
        if let invitation {
            guard case .invite = action else { throw .unwantedArgument(invitation.rawValue) }
            action = .invite(uses: uses, expires: expires)
        }
        return .command(CommandRequest(action: action, isJSON: isJSON, serve: request))
    }

    private static func check(command: String) throws(UsageFault) {
        let built = ["serve"] + CommandRequest.names
        if built.contains(command) { return }
        throw .unknownCommand(command, nearest: NearestName.of(command, among: built))
    }

    private static func path(_ option: Option, _ reader: inout ArgumentReader) throws(UsageFault) -> String {
        let path = try reader.value(of: option)
        // It is printed in READY and in log lines, so it stays on one.
        guard !path.isEmpty, path.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7f }) else {
            let why = path.isEmpty ? "the path is empty" : "a path has no control characters"
            throw .badOption(option.rawValue, given: path, why: why)
        }
        return path
    }

    private static func pair(_ text: String) throws(UsageFault) -> SettingSources.Given {
        guard let equals = text.utf8.firstIndex(of: UInt8(ascii: "=")), equals > text.startIndex else {
            throw .badOption("--set", given: text, why: "a setting is given as key=value, as in limits.text=4000")
        }
        let value = String(text[text.utf8.index(after: equals)...])
        return SettingSources.Given(origin: .set, name: String(text[..<equals]), text: value)
    }
}
