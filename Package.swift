// swift-tools-version: 6.3
import Foundation
import PackageDescription

// Every target of our own is compiled the same way: language mode 6, warnings are errors.
let house: [SwiftSetting] = [
    .treatAllWarnings(as: .error),
    // https://github.com/swiftlang/swift-evolution/blob/main/proposals/0335-existential-any.md
    .enableUpcomingFeature("ExistentialAny"),
    // https://github.com/swiftlang/swift-evolution/blob/main/proposals/0444-member-import-visibility.md
    .enableUpcomingFeature("MemberImportVisibility"),
    // Whether two accesses to one variable overlap is checked while the program runs in every debug build, and so in all
    // tests; what is served goes without: it was a fifth of our own instructions for each message.
    .unsafeFlags(["-enforce-exclusivity=unchecked"], .when(configuration: .release)),
]

// How programs are linked in a release, for a small start: by lld, which comes with the Swift toolchain and writes
// relocations in 4 kB instead of 500 (DT_RELR, glibc from 2.36 on); and without a table of all names, which takes as much
// again. `make counts` watches the memory.
let linking: [LinkerSetting] = [
    .unsafeFlags(
        ["-use-ld=lld"] + ["-z", "pack-relative-relocs", "--no-export-dynamic"].flatMap { ["-Xlinker", $0] },
        .when(configuration: .release)
    )
]

/// One of our targets; `layer` is documentation, the imports are what the build checks.
func target(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
    .target(name: name, dependencies: dependencies, swiftSettings: house)
}

func program(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
    .executableTarget(name: name, dependencies: dependencies, swiftSettings: house, linkerSettings: linking)
}

func tests(_ name: String, _ dependencies: [Target.Dependency], exclude: [String] = []) -> Target {
    .testTarget(name: name, dependencies: dependencies, exclude: exclude, swiftSettings: house)
}

// Without libedit's header there is no interactive chat in `fcc`, and it says so; scripts/setup.sh installs it.
let hasEdit = FileManager.default.fileExists(atPath: "/usr/include/histedit.h")
let edit: [Target] = hasEdit ? [.systemLibrary(name: "CEdit", providers: [.apt(["libedit-dev"])])] : []
let editing: [Target.Dependency] = hasEdit ? ["CEdit"] : []

let package = Package(
    name: "FriendlyChat",
    products: [
        .executable(name: "fcd", targets: ["fcd"]),
        .executable(name: "fcc", targets: ["fcc"]),
        .executable(name: "fcbench", targets: ["fcbench"]),
        // Loaded into fcd by tests, never part of it.
        .library(name: "faults", type: .dynamic, targets: ["CFaults"]),
        .library(name: "counts", type: .dynamic, targets: ["CCounts"]),
    ],
    targets: edit + [
        // Layer 0: the kernel and the C libraries.
        .target(name: "CLinux"),
        .target(name: "CProcessor"),
        .systemLibrary(name: "COpenSSL", pkgConfig: "openssl", providers: [.apt(["libssl-dev"])]),
        .target(name: "CRecordBuffers", dependencies: ["COpenSSL"]),
        .target(name: "CSocketBIO", dependencies: ["COpenSSL"]),
        .systemLibrary(name: "CUnicode", providers: [.apt(["libutf8proc-dev"])]),
        .target(name: "CICU"),
        // Layer 1: bytes, and the words of the domain.
        target("Bytes", ["CProcessor"]),
        target("ChatModel", ["CUnicode", "CICU"]),
        // Layer 2: pure parts, and the wrapping of Linux.
        target("ChatCore", ["ChatModel"]),
        target("Wire", ["Bytes", "ChatModel"]),
        target("SystemIO", ["CLinux", "Bytes"]),
        // Layer 3
        target("TLS", ["COpenSSL", "CRecordBuffers", "CSocketBIO", "Bytes"]),
        target("Storage", ["SystemIO", "Bytes"]),
        target("ChatClient", ["Bytes", "ChatModel", "Wire", "CUnicode"]),
        // Layer 4
        target("Transport", ["SystemIO", "TLS", "Bytes"]),
        target("Persistence", ["ChatCore", "ChatModel", "Wire", "Storage", "Bytes"]),
        // Layer 5
        target("Engine", ["ChatCore", "ChatModel", "Wire", "Persistence", "Bytes"]),
        // Layer 6
        target("LineFrontEnd", ["Engine", "Transport", "Wire", "ChatModel", "TLS", "SystemIO", "Bytes"]),
        target("OperatorFrontEnd", ["Engine", "Wire", "ChatModel", "SystemIO", "Bytes"]),
        target("BlobFrontEnd", ["Engine", "Transport", "Wire", "ChatModel", "SystemIO", "Bytes"]),
        // Layer 7: the programs.
        program(
            "fcd",
            [
                "LineFrontEnd", "BlobFrontEnd", "OperatorFrontEnd", "Engine", "Persistence", "Transport", "Storage",
                "TLS", "SystemIO",
                "Wire", "ChatCore", "ChatModel", "Bytes",
            ]
        ),
        program("fcc", ["ChatClient", "TLS", "SystemIO", "Wire", "ChatModel", "Bytes"] + editing),
        program("fcbench", ["TLS", "SystemIO", "Bytes", "CLinux"]),
        // Support for the tests, and the tests.
        .target(name: "CFaults"),
        .target(name: "CCounts"),
        target(
            "ChatTesting",
            ["Engine", "Persistence", "Storage", "TLS", "SystemIO", "CLinux", "Wire", "ChatCore", "ChatModel", "Bytes"]
        ),
        tests("TLSTests", ["TLS", "COpenSSL", "CRecordBuffers"]),
        tests("SystemTests", ["ChatTesting", "SystemIO", "TLS", "COpenSSL", "CLinux"]),
        tests("ProtocolTests", ["ChatTesting"]),
        tests("CountTests", ["ChatTesting", "SystemIO"], exclude: ["thresholds.json5"]),
        tests("fcdTests", ["fcd", "Engine", "SystemIO", "ChatModel"]),
        tests("FcbenchTests", ["fcbench"]),
        tests("BytesTests", ["Bytes", "ChatTesting"]),
        tests("ChatModelTests", ["ChatModel", "CUnicode", "CICU", "ChatTesting"]),
        tests("ChatCoreTests", ["ChatCore", "ChatModel", "ChatTesting"]),
        tests("SystemIOTests", ["SystemIO", "ChatTesting"]),
        tests("PersistenceTests", ["Persistence", "ChatCore", "ChatModel", "Wire", "Bytes", "ChatTesting"]),
        tests(
            "EngineTests",
            ["Engine", "Persistence", "Storage", "ChatCore", "ChatModel", "Wire", "Bytes", "ChatTesting"]
        ),
        tests("ConcurrencyTests", ["Engine", "SystemIO", "ChatModel", "Bytes", "ChatTesting"]),
        tests("WireTests", ["Wire", "ChatModel", "Bytes"]),
        tests("StorageTests", ["Storage", "SystemIO", "Bytes"]),
        tests(
            "RecoveryTests",
            ["fcd", "Engine", "Storage", "SystemIO", "TLS", "ChatModel", "Bytes", "ChatTesting"]
        ),
        tests("ChatClientTests", ["ChatClient", "Wire", "ChatModel", "Bytes"]),
        tests("fccTests", ["fcc", "ChatClient", "TLS", "SystemIO", "Wire", "ChatModel", "Bytes", "ChatTesting"]),
        tests(
            "SimulationTests",
            [
                "fcd", "ChatTesting", "Engine", "Persistence", "Storage", "TLS", "SystemIO", "ChatCore", "ChatModel",
                "Bytes",
            ]
        ),
        tests("BotTests", ["ChatTesting", "SystemIO"]),
        tests("BlobFrontEndTests", ["BlobFrontEnd", "ChatModel", "ChatTesting"]),
        tests("TransportTests", ["Transport", "TLS", "SystemIO", "CLinux", "COpenSSL", "Bytes"]),
    ]
)
