import ActivityCore
import TestSupport
import Testing

@testable import activityctl

@Suite("What goes wrong") struct FailureTests {
  @Test("a refusal is told with its code and with what to do, and ends with 1")
  func refusal() throws {
    let control = try Control()
    let result = try control.run("activityctl get --id nothing")
    #expect(result.status == 1)
    #expect(result.output.isEmpty)
    #expect(result.errors.count == 2)
    #expect(result.errors[0].hasPrefix("activityctl: unknown-activity: "))
    #expect(result.errors[1] == "  See activityctl list for those that there are.")
    let json = try control.run("activityctl get --id nothing --json")
    #expect(try JSONLine(#require(json.errors.first))["error"]?.string == "unknown-activity")
  }

  @Test("one that can't be ended doesn't stop the others")
  func several() throws {
    let control = try Control()
    for id in ["a", "b"] {
      try control.succeed("activityctl start --id \(id) --type T --state n=1")
    }
    let future = "$(($(date +%s) + 3600))"
    let result = try control.run("activityctl cancel --all --timestamp \(future)")
    #expect(result.status == 1)
    #expect(result.errors.count { $0.contains("timestamp-in-future") } == 2)
  }

  @Test("no daemon is 69, and something else than a daemon is 76")
  func unreachable() throws {
    let control = try Control()
    control.daemon.kill()
    let result = try control.run("activityctl ping")
    #expect(result.status == 69)
    #expect(result.errors[0].hasPrefix("activityctl: unreachable: unix:/"))
    let other = control.daemon.directory.file("other")
    let wrong = try control.run(
      "echo 'SSH-2.0-x' | nc -lU \(other) >&2 & while [ ! -S \(other) ]; do sleep 0.01; done; "
        + "activityctl ping --server unix:\(other)")
    #expect(wrong.status == 76)
  }

  @Test("a daemon that is back in time is waited for")
  func retrying() throws {
    let control = try Control()
    control.daemon.kill()
    try control.daemon.start(waiting: false)
    try control.succeed("activityctl start --id a --type T --state n=1 --retry 1m")
  }

  @Test(
    "so is one that a command connects with before it asks",
    arguments: ["ping", "backup", "metrics", "simulate --devices 1 --duration 0"])
  func retryingToConnect(command: String) throws {
    let control = try Control()
    control.daemon.kill()
    try control.daemon.start(waiting: false)
    #expect(try control.run("activityctl \(command) --retry 1m").status == 0)
  }

  @Test("however long it is to go on, a length of time doesn't end the process")
  func longTimes() throws {
    let control = try Control()
    let ages = String(repeating: "9", count: 30)
    try control.succeed("activityctl start --id a --type T --state n=1 --retry \(ages)")
    #expect(
      try control.succeed("activityctl record - --duration \(ages) | head -n 1").count == 1)
  }

  @Test("a role that doesn't suffice is 77, and so is a token that isn't known")
  func forbidden() throws {
    let control = try Control()
    let token = control.daemon.directory.file("token")
    try Files.write("made-up\n", to: token)
    let result = try control.run("activityctl ping --token-file \(token)")
    #expect(result.status == 77)
    #expect(result.errors[0].hasPrefix("activityctl: unauthorized: "))
    #expect(
      try control.run("ACTIVITYD_TOKEN=made-up; export ACTIVITYD_TOKEN; activityctl ping").status
        == 77)
    try Files.write("two words", to: token)
    #expect(try control.run("activityctl ping --token-file \(token)").status == 65)
    #expect(try control.run("activityctl ping --token-file \(token).not").status == 66)
  }

  @Test(
    "a wrong command line is 64, before anything is sent",
    arguments: [
      "", "frobnicate", "start", "start --type T", "start --type T --state", "start --id",
      "start --type T --state n", "start --type T --state n=1 --state-json 1",
      "start --type T --state n=1 --stale-after 5x", "start --type T --state n=1 --relevance high",
      "start --type T --state n=1 --if-exists maybe", "start --type T --state-json {", "list extra",
      "list --frobnicate", "list -x", "end", "end --id a --all", "end --all --if-version 1",
      "dismiss --id a", "action --id a", "push", "ping --json=1", "ping --server nowhere",
      "ping --server ssl:localhost:7421",
    ])
  func usage(line: String) throws {
    let control = try Control()
    let result = try control.run("activityctl \(line)")
    #expect(result.status == 64, "\(result)")
    #expect(result.output.isEmpty)
    #expect(result.errors.first?.hasPrefix("activityctl: usage: ") == true)
    #expect(result.errors.last?.contains("--help") == true)
  }

  @Test("advice is given for codes that there are")
  func advice() {
    let codes = Set(ErrorCode.allCases.map(\.rawValue))
    #expect(codes.isSuperset(of: Advice.byCode.keys))
  }

  @Test("what can't be written isn't done", arguments: ["list", "ping --json", "help", "man"])
  func fullOutput(command: String) throws {
    let result = try Control().run("activityctl \(command) >/dev/full")
    #expect(result.status == 73)
    #expect(
      result.errors == [
        "activityctl: no-output: the standard output can't be written: No space left on device"
      ])
  }

  @Test("what can't be read is told")
  func files() throws {
    let control = try Control()
    #expect(try control.run("activityctl push /nothing").status == 66)
    #expect(try control.run("echo 'no json' | activityctl push -").status == 65)
    #expect(try control.run("echo '{}' | activityctl push -").status == 65)
  }
}
