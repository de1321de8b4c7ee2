import Foundation
import Glibc
import SystemIO

private func complain(_ text: String) { FileHandle.standardError.write(Data("fcbench: \(text)\n".utf8)) }

private func report(_ options: BenchOptions) throws(BenchFailure) -> (report: any Report, first: String?) {
    let run = try BenchRun(options)
    switch options.mode {
    case .idle: return (try run.beSilent(), run.firstFault)
    case .storm(let connections, let resume, let signIn):
        return (try run.storm(connections, resume: resume, signIn: signIn), run.firstFault)
    case .fan, .many, .rate, .acked:
        try run.connectAll()
        run.settleDown()
        return (try run.measure(), run.firstFault)
    }
}

private func run(_ options: BenchOptions) -> Int32 {
    Sockets.ignoreBrokenPipes()
    do throws(BenchFailure) {
        if let pid = options.serverPID, ServerUsage(pid: pid) == nil {
            complain("--server-pid \(pid): there is no such process")
            return 2
        }
        let (report, first) = try report(options)
        print(report.text(options.form, header: options.header))
        if report.isSound { return 0 }
        complain(report.faults(first: first))
        return 1
    } catch {
        complain(error.text)
        return 1
    }
}

private func tabulate(_ file: String) -> Int32 {
    guard let text = try? String(contentsOfFile: file, encoding: .utf8) else {
        complain("\(file): cannot be read")
        return 1
    }
    print(ComparisonTable(lines: text.split(whereSeparator: \.isNewline)).text, terminator: "")
    return 0
}

do throws(UsageError) {
    switch try BenchRequest(Array(CommandLine.arguments.dropFirst())) {
    case .help: print(BenchOptions.usage, terminator: "")
    case .version: print("fcbench 1.0")
    case .run(let options): exit(run(options))
    case .table(let file): exit(tabulate(file))
    }
} catch {
    complain("\(error.text)\nTry: fcbench --help")
    exit(2)
}
