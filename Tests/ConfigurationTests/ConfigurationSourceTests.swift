import ActivityCore
import ActivityDaemon
import ActivityWire
import EventLoop
import TestSupport
import Testing

/// `activityd.conf` with drop-ins, in a folder of a test's own.
struct ConfigurationFolder {
  private let directory: TemporaryDirectory
  let main: String

  init(_ content: String, dropIns: [String: String] = [:]) throws {
    directory = try TemporaryDirectory()
    main = directory.file("activityd.conf")
    try Files.write(content, to: main)
    guard !dropIns.isEmpty else { return }
    try Files.makeFolder(main + ".d")
    for (name, content) in dropIns { try Files.write(content, to: dropIn(name)) }
  }

  func dropIn(_ name: String) -> String { "\(main).d/\(name)" }

  func load(_ options: CommandLineOptions = CommandLineOptions()) throws -> Configuration {
    try ConfigurationSource(file: main, options: options).load()
  }

  /// What is wrong, as `activityd.conf:12: …`.
  func problems(_ options: CommandLineOptions = CommandLineOptions()) -> [String] {
    let problems = #expect(throws: InvalidConfiguration.self) { try load(options) }?.problems ?? []
    return problems.map { problem in
      let isHere = problem.description.hasPrefix(directory.path + "/")
      return String(problem.description.dropFirst(isHere ? directory.path.utf8.count + 1 : 0))
    }
  }
}

@Suite("The configuration") struct ConfigurationSourceTests {
  @Test("a file sets what it names, and leaves the rest at its default")
  func file() throws {
    let configuration = try ConfigurationFolder(
      """
      [Daemon]
      ListenTCP=127.0.0.1:0
      ListenUnix=/tmp/a.sock
      ListenTCP=[::1]:7421
      StateDirectory=/tmp/state
      StopWithin=1500ms
      TimeScale=60
      [Access]
      LoopbackRole=publisher
      Publishers=root @root
      Admins=@0
      [Limits]
      MaxPayloadBytes=8K
      DefaultStaleAfter=15min
      RequireStaleDate=on
      DefaultUpdatesPerHour=120
      """
    ).load()
    #expect(
      configuration.listen == [
        .tcp(host: "127.0.0.1", port: 0), .tcp(host: "::1", port: 7421), .unix(path: "/tmp/a.sock"),
      ])
    #expect(configuration.stateDirectory == "/tmp/state")
    #expect(configuration.stopWithin == TimeSpan(microseconds: 1_500_000))
    #expect(configuration.timeScale == 60)
    #expect(configuration.loopbackRole == .publisher)
    #expect(configuration.publishers.map(\.identity) == [.user(0), .group(0)])
    #expect(configuration.admins.map(\.identity) == [.group(0)])
    var limits = Limits()
    limits.payloadBytesMax = 8_192
    limits.staleAfterDefault = .minutes(15)
    limits.requiresStaleDate = true
    limits.updatesPerHourDefault = 120
    #expect(configuration.limits == limits)
  }

  @Test("drop-ins come after the file, in the order of their names; the last one wins")
  func dropIns() throws {
    let folder = try ConfigurationFolder(
      "[Limits]\nMaxDepth=10\nMaxLinks=1\nMaxOutcomes=100\n[Access]\nPublishers=root",
      dropIns: [
        "20-b.conf": "[Limits]\nMaxDepth=20\n[Access]\nPublishers=@root",
        "10-a.conf": "[Limits]\nMaxDepth=30\nMaxLinks=2",
        "30-c.conf": "[Limits]\nMaxOutcomes=",
        "40-d.conf.bak": "[Limits]\nMaxDepth=40",
        ".hidden.conf": "[Limits]\nMaxDepth=50",
      ])
    let configuration = try folder.load()
    #expect(configuration.limits.depthMax == 20)
    #expect(configuration.limits.linksMax == 2)
    #expect(configuration.limits.outcomesMax == Limits().outcomesMax)
    #expect(configuration.publishers.map(\.name) == ["root", "@root"])
    #expect(
      configuration.files
        == [folder.main] + ["10-a.conf", "20-b.conf", "30-c.conf"].map(folder.dropIn))
  }

  @Test("a list that is set to nothing begins anew")
  func emptiedList() throws {
    let configuration = try ConfigurationFolder(
      "[Daemon]\nListenTCP=127.0.0.1:1\nListenUnix=/tmp/a\n[Access]\nAdmins=root",
      dropIns: ["a.conf": "[Daemon]\nListenTCP=\nListenTCP=127.0.0.1:2\n[Access]\nAdmins="]
    ).load()
    #expect(configuration.listen == [.tcp(host: "127.0.0.1", port: 2), .unix(path: "/tmp/a")])
    #expect(configuration.admins == [])
  }

  @Test("options of the command line win")
  func options() throws {
    let folder = try ConfigurationFolder(
      """
      [Daemon]
      ListenTCP=127.0.0.1:1
      StateDirectory=/tmp/state
      TimeScale=5
      [Access]
      LoopbackRole=device
      """)
    var options = CommandLineOptions()
    options.listen = [.unix(path: "/tmp/b.sock")]
    options.stateDirectory = "state"
    options.timeScale = 9
    options.loopbackRole = .admin
    let configuration = try folder.load(options)
    #expect(configuration.listen == options.listen)
    #expect(configuration.stateDirectory == "state")
    #expect(configuration.timeScale == 9)
    #expect(configuration.loopbackRole == .admin)
  }
}

@Suite("What is wrong with a configuration") struct ConfigurationProblemTests {
  @Test(
    "is told with its line",
    arguments: [
      ("MaxDepth=9", "1: MaxDepth is above the first [Section]"),
      (
        "\n[Limit]\nMaxDepth=9\nMaxLinks=1",
        "2: there is no section [Limit]; did you mean [Limits]?"
      ),
      ("[Frobnication]\na=b", "1: there is no section [Frobnication]"),
      ("[Limits]\nMaxDept=9", "2: there is no key MaxDept; did you mean MaxDepth?"),
      ("[Limits]\nMAXDEPTH=9", "2: there is no key MAXDEPTH; did you mean MaxDepth?"),
      ("[Limits]\nColour=red", "2: there is no key Colour"),
      ("[Limits]\nLoopbackRole=admin", "2: LoopbackRole belongs in [Access]"),
      ("[Limits]\nMaxDepth=9\n\nMaxDepth=9", "4: MaxDepth is set in line 2 already"),
      ("[Limits]\nMaxDepth=9\n[Limits]\nMaxDepth=", "4: MaxDepth is set in line 2 already"),
      ("[Daemon]\nListenUnix=/a\nListenUnix=/a", "3: ListenUnix has /a already"),
      ("[Access]\nAdmins=root root", "2: Admins has root already"),
      ("[Limits]\nMaxDepth=x", "2: MaxDepth takes a whole number from 4 to 1024, not x"),
      ("[Limits]\nMaxLineBytes=2K", "2: MaxLineBytesBeforeHello is above MaxLineBytes"),
      ("[Limits]\nMaxLifetime=1h", "2: DefaultLifetime is above MaxLifetime"),
      ("[Limits]\nMaxLifetime=1h\nDefaultLifetime=2h", "3: DefaultLifetime is above MaxLifetime"),
      ("[Limits]\nnonsense", "2: a line is Key=Value, [Section] or a comment"),
    ])
  func lines(content: String, problem: String) throws {
    #expect(try ConfigurationFolder(content).problems() == ["activityd.conf:\(problem)"])
  }

  @Test("is told of all files, in the order in which they are read")
  func all() throws {
    let folder = try ConfigurationFolder(
      "[Limits]\nMaxLifetime=1h\nnonsense\nMaxDepth=x\n[Nowhere",
      dropIns: ["b.conf": "[Access]\nAllowInsecure=perhaps", "a.conf": "[Limits]\n\nMaxLinks=0"])
    #expect(
      folder.problems() == [
        "activityd.conf:2: DefaultLifetime is above MaxLifetime",
        "activityd.conf:3: a line is Key=Value, [Section] or a comment",
        "activityd.conf:4: MaxDepth takes a whole number from 4 to 1024, not x",
        "activityd.conf:5: a heading is [Section], alone on its line",
        "activityd.conf.d/a.conf:3: MaxLinks takes a whole number from 1 to 64, not 0",
        "activityd.conf.d/b.conf:2: AllowInsecure takes yes or no, not perhaps",
      ])
  }

  @Test("an address that others reach needs tokens and TLS, and it is said how to set them")
  func insecure() throws {
    let listening = "[Daemon]\nListenTCP=127.0.0.1:1\nListenTCP=0.0.0.0:2\nListenTCP=[::]:3"
    func problem(_ address: String, _ missing: String) -> String {
      "other machines reach \(address): \(missing) (AllowInsecure=yes does without)"
    }
    let both = "make it a ListenTLS and set RequireToken=yes"
    #expect(
      try ConfigurationFolder(listening).problems() == [
        "activityd.conf:3: \(problem("tcp:0.0.0.0:2", both))",
        "activityd.conf:4: \(problem("tcp:[::]:3", both))",
      ])
    #expect(
      try ConfigurationFolder("[Access]\nRequireToken=yes\n" + listening).problems() == [
        "activityd.conf:5: \(problem("tcp:0.0.0.0:2", "make it a ListenTLS"))",
        "activityd.conf:6: \(problem("tcp:[::]:3", "make it a ListenTLS"))",
      ])
    let allowed = try ConfigurationFolder(listening + "\n[Access]\nAllowInsecure=yes").load()
    #expect(allowed.listen.count == 3)

    var options = CommandLineOptions()
    options.listen = [.tcp(host: "192.0.2.1", port: 4)]
    #expect(
      try ConfigurationFolder(listening).problems(options)
        == ["--listen: \(problem("tcp:192.0.2.1:4", both))"])
  }

  @Test("a file that was named must be there and be readable")
  func missing() throws {
    let directory = try TemporaryDirectory()
    let path = directory.file("none.conf")
    let missing = #expect(throws: InvalidConfiguration.self) {
      try ConfigurationSource(file: path).load()
    }
    #expect(missing?.problems.map(\.description) == ["\(path): No such file or directory"])
    let folder = #expect(throws: InvalidConfiguration.self) {
      try ConfigurationSource(file: directory.path).load()
    }
    #expect(folder?.problems.map(\.description) == ["\(directory.path): Is a directory"])
  }

  @Test("a file of more than a mebibyte isn't read")
  func tooLong() throws {
    let folder = try ConfigurationFolder(String(repeating: "# comment\n", count: 110_000))
    #expect(folder.problems() == ["activityd.conf: the file is longer than 1048576 bytes"])
  }
}
