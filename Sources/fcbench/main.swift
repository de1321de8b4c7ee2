import Foundation
import Glibc
import SystemIO

private func complain(_ text: String) { FileHandle.standardError.write(Data("fcbench: \(text)\n".utf8)) }

private func run(_ options: BenchOptions) -> Int32 {
    Sockets.ignoreBrokenPipes()
    do throws(BenchFailure) {
        if let pid = options.serverPID, ServerUsage(pid: pid) == nil {
            complain("--server-pid \(pid): there is no such process")
            return 2
        }
        let run = try BenchRun(options)
        try run.connectAll()
        run.settleDown()
        let report = try run.measure()
        if !options.json && options.header { print(BenchReport.header) }
        print(options.json ? report.json : report.row)
        if report.isSound { return 0 }
        complain(report.faults(first: run.firstFault))
        return 1
    } catch {
        complain(error.text)
        return 1
    }
}

do throws(UsageError) {
    switch try BenchRequest(Array(CommandLine.arguments.dropFirst())) {
    case .help: print(BenchOptions.usage, terminator: "")
    case .version: print("fcbench 1.0")
    case .run(let options): exit(run(options))
    }
} catch {
    complain("\(error.text)\nTry: fcbench --help")
    exit(2)
}
