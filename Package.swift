// swift-tools-version: 6.2
import PackageDescription

/// What every target is compiled with: the upcoming language features that make imports and
/// existentials explicit, strict memory safety, and no warning left standing.
let strict: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .strictMemorySafety(),
  .treatAllWarnings(as: .error),
]

let package = Package(
  name: "activityd",
  products: [
    .executable(name: "activityd", targets: ["activityd"]),
    .executable(name: "activityctl", targets: ["activityctl"]),
    .library(name: "ActivityClient", targets: ["ActivityClient"]),
  ],
  targets: [
    // C libraries, all from Debian. Each is imported by exactly one target of Sources.
    .systemLibrary(name: "CLibUV", pkgConfig: "libuv", providers: [.apt(["libuv1-dev"])]),
    .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
    .systemLibrary(name: "CInih", pkgConfig: "inih", providers: [.apt(["libinih-dev"])]),
    .systemLibrary(
      name: "CSystemd", pkgConfig: "libsystemd", providers: [.apt(["libsystemd-dev"])]),
    .systemLibrary(name: "COpenSSL", pkgConfig: "openssl", providers: [.apt(["libssl-dev"])]),
    .systemLibrary(name: "CTerminfo", providers: [.apt(["libncurses-dev"])]),
    .target(
      name: "CSimdjson",
      linkerSettings: [.linkedLibrary("simdjson"), .linkedLibrary("stdc++")]),

    // The rules: no I/O, no clock, no randomness, standard library only.
    .target(name: "ActivityCore", swiftSettings: strict),
    // Bytes to requests, events to bytes.
    .target(
      name: "ActivityWire", dependencies: ["ActivityCore", "CSimdjson"], swiftSettings: strict),
    // libuv, without a word of the domain.
    .target(name: "EventLoop", dependencies: ["CLibUV"], swiftSettings: strict),
    // systemd, or whatever speaks its protocols; without it, nothing.
    .target(name: "ServiceManager", dependencies: ["CSystemd"], swiftSettings: strict),
    // OpenSSL: what is hashed, and what travels encrypted. Not a word of the domain.
    .target(name: "Cryptography", dependencies: ["COpenSSL"], swiftSettings: strict),
    // SQLite.
    .target(
      name: "ActivityStore", dependencies: ["ActivityCore", "CSQLite"], swiftSettings: strict),
    // The only place where they meet.
    .target(
      name: "ActivityDaemon",
      dependencies: [
        "ActivityCore", "ActivityWire", "EventLoop", "ActivityStore", "ServiceManager",
        "Cryptography", "CInih",
      ],
      swiftSettings: strict),
    .executableTarget(
      name: "activityd", dependencies: ["ActivityDaemon"], swiftSettings: strict),

    // The other end of the protocol, for backends and devices in Swift.
    .target(
      name: "ActivityClient", dependencies: ["ActivityCore", "ActivityWire", "Cryptography"],
      swiftSettings: strict),
    .executableTarget(
      name: "activityctl", dependencies: ["ActivityClient", "CTerminfo"], swiftSettings: strict),

    // What each layer costs. It counts its allocations.
    .target(name: "CAllocationCount"),
    .executableTarget(
      name: "activitybench",
      dependencies: [
        "ActivityCore", "ActivityWire", "EventLoop", "ActivityStore", "ActivityDaemon",
        "CAllocationCount",
      ],
      swiftSettings: strict),

    // Disks and clocks that misbehave, preloaded into a daemon; tests compile faults.c themselves.
    .systemLibrary(name: "CFaults", path: "Tests/CFaults"),
    // What several test targets use: daemons, clients, folders of a test's own.
    .target(
      name: "TestSupport", dependencies: ["ActivityWire", "CFaults"], path: "Tests/TestSupport",
      swiftSettings: strict),

    .testTarget(
      name: "ActivityCoreTests", dependencies: ["ActivityCore", "TestSupport"],
      swiftSettings: strict),
    .testTarget(
      name: "ActivityWireTests", dependencies: ["ActivityCore", "ActivityWire", "TestSupport"],
      swiftSettings: strict),
    .testTarget(
      name: "EventLoopTests", dependencies: ["EventLoop", "TestSupport"], swiftSettings: strict),
    .testTarget(
      name: "CryptographyTests", dependencies: ["Cryptography", "TestSupport"],
      swiftSettings: strict),
    // A layer between SQLite and its files, in which the power fails.
    .target(name: "CPowerLoss", dependencies: ["CSQLite"], path: "Tests/CPowerLoss"),
    .testTarget(
      name: "ActivityStoreTests",
      dependencies: ["ActivityCore", "ActivityStore", "CPowerLoss", "CSQLite", "TestSupport"],
      exclude: ["Fixtures"], swiftSettings: strict),
    // activityd.conf: its syntax, its table, and its effect on the real daemon.
    .testTarget(
      name: "ConfigurationTests",
      dependencies: [
        "ActivityCore", "ActivityWire", "ActivityDaemon", "EventLoop", "TestSupport",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "ActivityClientTests", dependencies: ["ActivityClient", "TestSupport", "activityd"],
      swiftSettings: strict),
    .testTarget(
      name: "ActivityctlTests",
      dependencies: ["activityctl", "ActivityClient", "ActivityCore", "TestSupport", "activityd"],
      swiftSettings: strict),
    // The hub with sockets that block, stores that fail, and time that a test lets pass.
    .testTarget(
      name: "DeliveryTests",
      dependencies: [
        "ActivityCore", "ActivityWire", "ActivityStore", "ActivityDaemon", "EventLoop",
        "TestSupport", "activityd",
      ],
      swiftSettings: strict),
    // The daemon without sockets, disk and clock among everything that can go wrong, and a validator
    // for each guarantee of PROTOCOL.md.
    .target(
      name: "Simulation",
      dependencies: [
        "ActivityCore", "ActivityWire", "ActivityStore", "ActivityDaemon", "EventLoop",
        "TestSupport",
      ],
      path: "Tests/Simulation", swiftSettings: strict),
    .executableTarget(
      name: "simulate", dependencies: ["Simulation"], path: "Tests/Simulate",
      swiftSettings: strict),
    .testTarget(
      name: "SimulationTests", dependencies: ["Simulation"], swiftSettings: strict),
    // The conversations of Protocol/transcripts, in memory and with the real daemon.
    .testTarget(
      name: "TranscriptTests",
      dependencies: [
        "ActivityCore", "ActivityWire", "ActivityStore", "ActivityDaemon", "EventLoop",
        "TestSupport",
      ],
      swiftSettings: strict),
    // What the daemon has with its service manager, played by the tests.
    .testTarget(
      name: "ServiceTests",
      dependencies: [
        "ServiceManager", "ActivityDaemon", "ActivityWire", "TestSupport", "activityd",
      ],
      swiftSettings: strict),
    // The program as it is delivered: processes, signals, sockets, files.
    .testTarget(
      name: "EndToEndTests",
      dependencies: ["ActivityWire", "Cryptography", "TestSupport", "activityd"],
      swiftSettings: strict),
  ],
  swiftLanguageModes: [.v6],
  cxxLanguageStandard: .cxx17
)

// The fuzzers are built for themselves, with libFuzzer and its sanitizers: see .ci/fuzz.
if Context.environment["FUZZ"] != nil {
  package.targets += [
    .systemLibrary(name: "CFuzzer", path: "Tests/CFuzzer"),
    .executableTarget(
      name: "Fuzz",
      dependencies: [
        "ActivityCore", "ActivityDaemon", "ActivityStore", "ActivityWire", "CFuzzer", "EventLoop",
      ],
      path: "Tests/Fuzz", exclude: ["corpus"], swiftSettings: strict),
  ]
}
