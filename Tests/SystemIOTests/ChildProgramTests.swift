import ChatTesting
import Glibc
import SystemIO
import Testing

@Suite("A program that was started")
struct ChildProgramTests {
    private let directory = TemporaryDirectory()

    /// How `program` ended, at most 10 s later.
    private func end(_ program: ChildProgram) -> Int32? {
        polling(atMost: 10) {
            var watches = [program.watches[0]]
            guard let any = try? Watch.wait(for: &watches, milliseconds: 10), any else { return nil }
            return program.exitCode()
        }
    }

    @Test(arguments: [("exit 3", 3), ("true", 0), ("kill -TERM $$", 128 + 15)] as [(String, Int32)])
    func `Its end is heard and tells the exit code, or the signal`(_ script: String, _ code: Int32) throws {
        let program = try ChildProgram(["sh", "-c", script], environment: ["PATH": "/usr/bin:/bin"])
        #expect(end(program) == code)
    }

    @Test func `It reads what is written to it, and has no other environment and no shell in between`() throws {
        let file = directory.path + "/out"
        let script = #"cat > "$OUT"; echo "$X" >> "$OUT"; echo "$0" >> "$OUT"; env >> "$OUT""#
        let program = try ChildProgram(
            ["sh", "-c", script, "$(touch x)"],
            environment: ["OUT": file, "X": "a=`id` b", "PATH": "/usr/bin:/bin"]
        )
        #expect(try program.write(Array("hello\n".utf8)[...]) == 6)
        #expect(program.exitCode() == nil, "it waits for more")
        program.closeInput()
        #expect(program.watches.count == 1)
        #expect(end(program) == 0)
        let lines = readWhole(file).split(separator: "\n").map(String.init)
        #expect(lines.prefix(3) == ["hello", "a=`id` b", "$(touch x)"])
        let names = Set(lines.dropFirst(3).compactMap { $0.split(separator: "=").first.map(String.init) })
        #expect(names.isSuperset(of: ["OUT", "X", "PATH"]))
        // What shells add by themselves.
        #expect(names.subtracting(["OUT", "X", "PATH", "PWD", "OLDPWD", "SHLVL", "_"]).isEmpty, "\(names)")
    }

    @Test func `One that reads nothing takes no more than a pipe holds, and nobody waits`() throws {
        let gate = directory.path + "/gate"
        let script = "for i in $(seq 1000); do test -e '\(gate)' && exit 0; sleep 0.01; done; exit 1"
        let program = try ChildProgram(["sh", "-c", script], environment: ["PATH": "/usr/bin:/bin"])
        let block = [UInt8](repeating: 0x61, count: 65_536)[...]
        var total = 0
        while true {
            let count = try program.write(block)
            if count == 0 { break }
            total += count
            try #require(total < 4 << 20)
        }
        #expect(total > 0)
        #expect(program.exitCode() == nil)
        try #require(mkdir(gate, 0o700) == 0)
        #expect(end(program) == 0)
    }

    @Test func `What is not there, or no program, cannot be started`() throws {
        #expect(throws: Errno(code: ENOENT, call: "posix_spawn")) {
            try ChildProgram(["/nonexistent/program"], environment: [:])
        }
        #expect(throws: Errno(code: EACCES, call: "posix_spawn")) {
            try ChildProgram([directory.path], environment: [:])
        }
        let script = directory.path + "/script"
        let file = try #require(fopen(script, "w"))
        fputs("echo hi\n", file)
        fclose(file)
        chmod(script, 0o700)
        // Without #! it is no program, and no shell is tried instead.
        #expect(throws: Errno(code: ENOEXEC, call: "posix_spawn")) { try ChildProgram([script], environment: [:]) }
        #expect(throws: Errno(code: ENOENT, call: "posix_spawn")) { try ChildProgram([], environment: [:]) }
    }
}
