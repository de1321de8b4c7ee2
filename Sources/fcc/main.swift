import FoundationEssentials
import Glibc

let code = Program.run(
    Array(CommandLine.arguments.dropFirst()),
    environment: ProcessInfo.processInfo.environment
)
exit(code.rawValue)
