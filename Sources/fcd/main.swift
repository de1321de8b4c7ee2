import Glibc

// What the command line asks for, then the work, then the exit code (commands.md).
do throws(UsageFault) {
    let environment = SettingSources.processEnvironment
    switch try Invocation.parse(Array(CommandLine.arguments.dropFirst()), environment: environment) {
    case .help: Output.write(Help.text, to: STDOUT_FILENO)
    case .version: Output.write(Help.version, to: STDOUT_FILENO)
    case .command(let request): exit(request.run())
    case .serve(let request):
        let loaded = try request.sources.load()
        let log = Log(loaded.settings.log)
        loaded.reportWithoutEffect(to: log)
        do throws(Failure) {
            try Daemon(loaded, from: request.sources, log: log, dataPath: request.dataDirectory).serve()
        } catch {
            Output.write("fcd: \(error.text)\n", to: STDERR_FILENO)
            exit(error.exitCode)
        }
    }
} catch {
    error.report()
    exit(UsageFault.exitCode)
}
