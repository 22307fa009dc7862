import TestSupport
import Testing

@Suite("Commands that read, and those of devices") struct ReadCommandTests {
  private let control: Control

  init() throws { control = try Control() }

  @Test("list shows a table, the most relevant first, or a line of JSON for each")
  func list() throws {
    try control.succeed("activityctl start --id a --type Delivery --state n=1 --lifetime 1h")
    try control.succeed("activityctl start --id b --type Ride --state n=2 --relevance 1")
    let lines = try control.succeed("activityctl list")
    #expect(lines.count == 3)
    #expect(lines[0].hasPrefix("ID  TYPE      STATE   NEXT"))
    #expect(lines[1].hasPrefix("b   Ride      active  ends in "))
    #expect(lines[2].hasPrefix("a   Delivery  active  ends in "))
    #expect(lines[2].hasSuffix(#"{"n":1}"#))
    let json = try control.succeed("activityctl list --json").map { try JSONLine($0) }
    #expect(json.map { $0["id"]?.string } == ["b", "a"])
    #expect(try control.json("activityctl list --type Ride")["id"]?.string == "b")
    #expect(try control.json("activityctl list --limit 1")["id"]?.string == "b")
  }

  @Test("get tells a fact a line")
  func get() throws {
    try control.succeed("activityctl start --id a --type T --state n=1 --stale-after 2h")
    let lines = try control.succeed("activityctl get --id a --delivery")
    #expect(lines.contains { $0.hasPrefix("state ") && $0.hasSuffix(" active") })
    #expect(lines.contains { $0.hasPrefix("stale-date ") && $0.contains("(in 1:59:") })
    #expect(lines.contains { $0.hasPrefix("devices subscribed ") })
  }

  @Test("what an activity holds can't reach the terminal as a command")
  func escapes() throws {
    try control.succeed(
      #"activityctl start --id a --type T --state "x=$(printf '\033[2J\302\233A')""#)
    try control.succeed("activityctl start --id 'e\u{202e}vil' --type T --state n=1")
    let commands = [
      "list", "list --json", "get --id a", "get --id a --json", "get --id 'e\u{202e}vil'",
    ]
    for command in commands {
      for line in try control.succeed("activityctl \(command)") {
        let isSafe = line.unicodeScalars.allSatisfy {
          $0.value >= 0x20 && !(0x7f...0x9f).contains($0.value)
        }
        #expect(isSafe, "\(command): \(line)")
        if !command.hasSuffix("--json") { #expect(!line.unicodeScalars.contains("\u{202e}")) }
      }
    }
  }

  @Test("ping tells who answers, and as whom")
  func ping() throws {
    let line = try #require(try control.succeed("activityctl ping").first)
    #expect(line.hasPrefix("unix:\(control.daemon.socketPath) answered in "))
    #expect(line.contains("role admin, seq 0"))
  }

  @Test("the socket of this user's daemon is found, unless it is somebody else's to change")
  func finding() throws {
    let runtime = control.daemon.directory.path
    let ping = "unset ACTIVITYD_SERVER; XDG_RUNTIME_DIR=\(runtime) activityctl ping"
    try control.succeed("mkdir \(runtime)/activityd")
    try control.succeed("ln -s \(control.daemon.socketPath) \(runtime)/activityd/activityd.sock")
    let address = "unix:\(runtime)/activityd/activityd.sock"
    #expect(try control.succeed(ping)[0].hasPrefix("\(address) answered"))
    let other = try control.run("chmod o+w \(runtime)/activityd; \(ping)")
    #expect(other.output.first?.hasPrefix(address) != true)
  }

  @Test("stats and clients tell what they are asked")
  func admin() throws {
    try control.succeed("activityctl start --id a --type T --state n=1")
    let stats = try control.succeed("activityctl stats")
    #expect(stats.contains { $0.hasPrefix("activities active") && $0.hasSuffix("  1") })
    let clients = try control.succeed("activityctl clients")
    #expect(clients.count == 2)
    #expect(clients[1].contains("admin"))
    #expect(try control.json("activityctl clients")["role"]?.string == "admin")
  }

  @Test("clients names the token that somebody has shown")
  func tokenName() throws {
    let secret = control.daemon.directory.file("secret")
    try control.succeed("(umask 077; activityctl token add wall --role admin >\(secret)) 2>&1")
    let clients = try control.succeed("activityctl clients --token-file \(secret)")
    #expect(clients[0].hasSuffix("  TOKEN"))
    #expect(clients[1].hasSuffix("  wall"))
  }

  @Test("an action is told to who listens")
  func action() throws {
    try control.succeed("activityctl start --id a --type T --state n=1")
    #expect(
      try control.succeed("activityctl action confirm --id a") == ["nobody listens for actions"])
    let backend = try LineClient(path: control.daemon.socketPath)
    try backend.sendLine(#"{"op":"subscribe","feedback":true}"#)
    while let line = try backend.readLine(), !line.contains(#""ok":"subscribe""#) {}
    #expect(
      try control.succeed(
        "activityctl action confirm --id a --payload-json '{\"tip\": 2.50}' --device phone")
        == ["told to 1 publisher"])
    while let line = try backend.readLine() {
      guard line.contains(#""event":"action""#) else { continue }
      let action = try JSONLine(line)
      #expect(action["name"]?.string == "confirm")
      #expect(action["device"]?.string == "phone")
      #expect(action["payload"]?.raw == #"{"tip":2.50}"#)
      break
    }
  }

  @Test("a device dismisses for itself, a publisher for all")
  func dismiss() throws {
    try control.succeed("activityctl start --id a --type T --state n=1")
    let line = "activityctl dismiss --id a --device phone"
    #expect(try control.succeed(line) == ["a is dismissed here"])
    #expect(try control.succeed(line) == ["a wasn't shown"])
    #expect(
      try control.succeed("activityctl dismiss --id a --everywhere")
        == ["a is dismissed (version 2, 0 devices)"])
  }
}
