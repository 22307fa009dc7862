import ActivityClient
import TestSupport
import Testing

@testable import activityctl

@Suite("metrics") struct MetricsTests {
  private func lines(_ stats: String?, _ format: Metrics.Format = .prometheus) throws -> [String] {
    let object = stats.flatMap { JSONObject(text: $0) }
    return Metrics.text(object, as: format).split(separator: "\n").map(String.init)
  }

  @Test("a counter ends in _total, what several members say has labels, what is unknown is kept")
  func text() throws {
    let stats =
      #"{"ok":"stats","epoch":"e","activities":{"active":2,"stale":1},"dirty":3,"paced":4,"#
      + #""requests":7,"commit-seconds":0.25,"fresh-news":5,"kinds":{"a":1},"#
      + #""handshakes":{"under-way":1,"failed":2},"limit-reached":{"MaxActivities":3}}"#
    let lines = try lines(stats)
    for line in [
      "activityd_up 1", "# TYPE activityd_activities gauge",
      #"activityd_activities{state="stale"} 1"#,
      #"activityd_changes_waiting{for="socket"} 3"#, #"activityd_changes_waiting{for="pace"} 4"#,
      "# TYPE activityd_requests_total counter", "activityd_requests_total 7",
      "activityd_commit_seconds_total 0.25", "# TYPE activityd_fresh_news untyped",
      "activityd_fresh_news 5", #"activityd_kinds{of="a"} 1"#,
      #"activityd_limits_reached_total{limit="MaxActivities"} 3"#,
      "activityd_tls_handshakes_under_way 1", #"activityd_tls_handshakes_total{result="failed"} 2"#,
    ] { #expect(lines.contains(line), "\(line)") }
    #expect(lines.count { $0.hasPrefix("# TYPE activityd_changes_waiting ") } == 1)
    #expect(!lines.contains { $0.contains("epoch") })
  }

  @Test("OpenMetrics names a counter without its ending, and says where it ends")
  func openMetrics() throws {
    let lines = try lines(#"{"requests":7,"fresh":1}"#, .openMetrics)
    #expect(lines.contains("# TYPE activityd_requests counter"))
    #expect(lines.contains("activityd_requests_total 7"))
    #expect(lines.contains("# TYPE activityd_fresh unknown"))
    #expect(lines.last == "# EOF")
  }

  @Test("every figure of the daemon's has a help of its own")
  func complete() throws {
    let control = try Control()
    let lines = try control.succeed("activityctl metrics")
    #expect(lines.contains("activityd_up 1"))
    #expect(!lines.contains { $0.hasSuffix(" untyped") }, "\(lines)")
    let check = try control.run(
      "command -v promtool >/dev/null || exit 0; activityctl metrics | promtool check metrics")
    #expect(check.status == 0, "\(check)")
  }

  @Test("a file is put in place whole; of a daemon that is away it says so")
  func file() throws {
    let control = try Control()
    let folder = control.daemon.directory.file("textfile")
    try Files.makeFolder(folder)
    try control.succeed("activityctl metrics --output \(folder)/activityd.prom")
    #expect(try Files.read("\(folder)/activityd.prom").contains("activityd_sessions 1\n"))
    control.daemon.kill()
    let result = try control.run("activityctl metrics --output \(folder)/activityd.prom")
    #expect(result.status == 69)
    #expect(try Files.read("\(folder)/activityd.prom").hasSuffix("\nactivityd_up 0\n"))
    #expect(Files.names(in: folder) == ["activityd.prom"])
    #expect(try control.run("activityctl metrics --output \(folder)/no/x").status == 73)
  }

  @Test("of a daemon that doesn't answer too", arguments: [true, false])
  func silent(isClosed: Bool) throws {
    let daemon = try ScriptedDaemon(.init([ScriptedDaemon.welcome], isLast: isClosed))
    let result = try Shell.run(
      "\(Control.executable) metrics --server unix:\(daemon.socketPath) 2>&1")
    #expect(result.status == 75)
    #expect(result.lines.contains("activityd_up 0"))
  }

  @Test("the node exporter takes it up")
  func nodeExporter() throws {
    let control = try Control()
    let folder = control.daemon.directory.file("textfile")
    try Files.makeFolder(folder)
    let result = try control.run(
      """
      command -v prometheus-node-exporter >/dev/null && command -v curl >/dev/null || exit 0
      activityctl metrics --output \(folder)/activityd.prom
      port=$((20000 + $$ % 10000))
      prometheus-node-exporter --web.listen-address=127.0.0.1:$port --collector.disable-defaults \
      --collector.textfile --collector.textfile.directory=\(folder) >\(folder)/../exporter 2>&1 &
      exporter=$!
      trap 'kill $exporter' EXIT
      until curl -sf http://127.0.0.1:$port/metrics >\(folder)/../scraped; do
        kill -0 $exporter || exit 1
        sleep 0.1
      done
      grep -q '^node_textfile_scrape_error 0$' \(folder)/../scraped &&
        grep -q '^activityd_up 1$' \(folder)/../scraped &&
        grep -q '^activityd_requests_total [0-9]' \(folder)/../scraped
      """)
    #expect(result.status == 0, "\(result)")
  }
}

@Suite("monitor, backup and tokens") struct OperatorTests {
  @Test("monitor tells a line a request, until nobody reads")
  func monitor() throws {
    let control = try Control()
    let lines = try control.succeed(
      """
      activityctl monitor --id 'order-*' | {
        ( while ! activityctl start --id order-1 --type T --state n=1 --if-exists replace; do :; done
          sleep 0.2; activityctl start --id other --type T --state n=1
          activityctl start --id order-1 --type T --state n=1 --if-exists replace
          activityctl update --id order-2 --state n=1 || : ) >/dev/null 2>&1 &
        while read -r line; do
          echo "$line"
          case $line in *unknown-activity*) break;; esac
        done
      }
      """)
    #expect(lines.allSatisfy { $0.contains(" order-") })
    #expect(try #require(lines.last).contains(" update      unknown-activity order-2"))
    #expect(lines.contains { $0.contains(" start       applied      order-1") })
  }

  @Test("what monitor says of a request fits on a line")
  func monitorLine() throws {
    let object = try #require(
      JSONObject(
        text: #"{"event":"monitor","now":0.25,"client":7,"device":"d","op":"ping","outcome":"ok"}"#)
    )
    #expect(
      MonitorCommand.text(object).hasSuffix(":00.250 #7     ping        ok           - device=d"))
    #expect(MonitorCommand.text(["event": "monitor", "missed": 40]) == "# 40 lines missed")
    for date: JSONValue in [1e300, -1e300, 9e17] {
      #expect(MonitorCommand.text(["event": "monitor", "now": date]).hasPrefix("--:--:--.--- #0"))
    }
  }

  @Test("a backup is named with its size, and isn't made over a file that exists")
  func backup() throws {
    let control = try Control()
    try control.succeed("activityctl start --id a --type T --state n=1")
    let file = control.daemon.directory.file("copy.db")
    let said = try control.succeed("activityctl backup \(file)")
    #expect(said.count == 1)
    #expect(said[0].hasPrefix("\(file) (") && said[0].hasSuffix(" bytes, up to seq 1)"))
    #expect(try control.run("activityctl backup \(file)").status == 1)
    #expect(try control.json("activityctl backup")["seq"]?.integer == 1)
  }

  @Test("a token's secret is all that is written; it grants its role until it is revoked")
  func tokens() throws {
    let control = try Control("--listen", "tcp:127.0.0.1:0")
    let secret = control.daemon.directory.file("secret")
    try control.succeed(
      "(umask 077; activityctl token add backend --role publisher --channel 'home:*' >\(secret)) 2>&1"
    )
    #expect(try control.succeed("stat -c %a \(secret); wc -l <\(secret)") == ["600", "1"])
    let list = try control.succeed("activityctl token list")
    #expect(list[1].hasPrefix("backend  0:0"))
    #expect(list[1].hasSuffix("  publisher, channels home:*"))
    #expect(!list.joined().contains(try Files.read(secret).dropLast()))
    let ping = "activityctl ping --token-file \(secret)"
    #expect(try control.succeed(ping)[0].contains(" role publisher, "))
    let byName = "ACTIVITYD_TOKEN=$(cat \(secret)); export ACTIVITYD_TOKEN; activityctl"
    #expect(
      try control.run("\(byName) start --id a --type T --state n=1 --channel office").status == 77)
    try control.succeed("\(byName) start --id a --type T --state n=1 --channel home:1")
    #expect(
      try control.succeed("activityctl token revoke backend") == [
        "backend is void; 0 connections closed"
      ])
    #expect(try control.run(ping).status == 77)
    #expect(try control.succeed("activityctl token list") == ["no tokens"])
  }

  @Test("what a token grants is told in words")
  func grants() throws {
    let token = try #require(
      JSONObject(
        text: #"{"name":"wall","role":"device","channels":["home:*"],"types":["delivery"],"#
          + #""everywhere":true,"surface":"public","device":"d","expires-date":1090}"#))
    #expect(
      TokenCommands.grants(token, now: 1_000)
        == "device, channels home:*, types delivery, may dismiss everywhere, surface public, "
        + "only device d, expires in 1:30")
    #expect(TokenCommands.grants(["role": "admin"], now: 0) == "admin")
  }
}
