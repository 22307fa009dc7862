import Glibc
import TestSupport
import Testing

/// Copies of the store, what comes of going back to one, and what `--verify` says.
@Suite("Backups")
struct BackupTests {
  /// Some MiB of activities, so that a backup takes several pieces.
  private func fill(_ daemon: RunningDaemon) throws {
    let content = String(repeating: "x", count: 3_500)
    let publisher = try daemon.publisher()
    for number in 0..<1_500 {
      try publisher.sendLine(
        #"{"op":"start","reply":"errors","id":"\#(number)","attributes-type":"T","#
          + #""content-state":"\#(content)"}"#)
    }
    _ = try publisher.order(#"{"op":"ping"}"#)
  }

  private func restore(_ path: String, in place: Installation) throws {
    let store = place.statePath + "/activityd.db"
    let script = "rm -f \(store)-wal \(store)-shm && cp \(path) \(store)"
    #expect(try Shell.run(script).status == 0)
  }

  private func verify(_ argument: String, _ place: Installation) throws -> Shell.Result {
    try Shell.run(
      "\(DaemonProcess.executable) --config /dev/null --state-dir \(place.statePath) \(argument) 2>&1"
    )
  }

  @Test("a backup amid writes is a state that was, and a store from it voids every cursor")
  func underLoad() throws {
    let place = try Installation()
    let daemon = try place.start()
    try fill(daemon)
    var display = Display()
    try display.subscribe(daemon.device())
    let publisher = try daemon.publisher()
    _ = try publisher.order(
      #"{"op":"start","id":"hot","attributes-type":"T","content-state":0}"#)
    let admin = try daemon.publisher()
    // What comes behind it is answered behind it.
    try admin.sendLine(#"{"op":"backup","ref":1}"#)
    try admin.sendLine(#"{"op":"ping"}"#)
    var seqs: [Int] = []
    var answer: String?
    while answer == nil {
      let update = #"{"op":"update","id":"hot","content-state":\#(seqs.count + 1)}"#
      seqs.append(try #require(try publisher.order(update)["seq"]?.integer))
      answer = try admin.arrivedLine()
    }
    // Commits went on meanwhile.
    #expect(seqs.count > 1)
    let made = try JSONLine(try #require(answer))
    #expect(made["ok"]?.string == "backup")
    #expect(try admin.next()["ok"]?.string == "ping")
    let path = try #require(made["path"]?.string)
    let seq = try #require(made["seq"]?.integer)
    #expect(path.hasPrefix(place.statePath + "/backups/activityd-"))
    #expect(path.hasSuffix("-\(seq).db"))
    #expect(Files.mode(of: path) == 0o600)
    #expect(Files.names(in: place.statePath + "/backups").count == 1)
    #expect(try daemon.stop() == .exited(0))

    let verified = try verify("--verify=\(path)", place)
    #expect(verified.status == 0)
    #expect(verified.output.contains("seq \(seq), "))
    try restore(path, in: place)
    let second = try place.start()
    let client = try second.publisher()
    let hot = try #require(try client.order(#"{"op":"get","id":"hot"}"#)["activity"]?.object)
    // Exactly what it was at that seq.
    let count = try #require(seqs.lastIndex { $0 <= seq }) + 1
    #expect(hot["content-state"]?.raw == "\(count)")
    try display.subscribe(second.device())
    #expect(display.resets == 1)
    #expect(display.cards.count == 1_501)
    #expect(display.cards["hot"]?.content == "\(count)")
    // It is a store like any other from then on.
    second.process.kill()
    let third = try place.start()
    try display.subscribe(third.device())
    #expect(display.resets == 1)
  }

  @Test("a copy that was made by hand voids every cursor with --new-epoch, and not without")
  func copiedByHand() throws {
    let place = try Installation()
    let daemon = try place.start()
    let publisher = try daemon.publisher()
    _ = try publisher.order(#"{"op":"start","id":"a","attributes-type":"T","content-state":1}"#)
    var display = Display()
    try display.subscribe(daemon.device())
    #expect(try daemon.stop() == .exited(0))
    #expect(
      try Shell.run("cp \(place.statePath)/activityd.db \(place.folder.file("copy"))").status == 0)
    try restore(place.folder.file("copy"), in: place)
    let second = try place.start()
    try display.subscribe(second.device())
    #expect(display.resets == 0)
    #expect(try second.stop() == .exited(0))
    let third = try place.start("--new-epoch")
    try display.subscribe(third.device())
    #expect(display.resets == 1)
  }

  @Test("a backup goes over no file, is for admins, and is told of in the log")
  func refusals() throws {
    let place = try Installation()
    let daemon = try place.start()
    let client = try daemon.publisher()
    let path = place.folder.file("a.db")
    #expect(try client.order(#"{"op":"backup","path":"\#(path)"}"#)["path"]?.string == path)
    _ = try daemon.process.waitForLine(containing: "event=backup-made ")
    let again = try client.ask(#"{"op":"backup","path":"\#(path)"}"#)
    #expect(again.errorCode == "bad-value")
    #expect(again["key"]?.string == "path")
    _ = try daemon.process.waitForLine(containing: "event=backup-failed ")
    let missing = try client.ask(#"{"op":"backup","path":"/no/such/folder/a.db"}"#)
    #expect(missing.errorCode == "bad-value")
    #expect(try client.order(#"{"op":"backup","path":"b.db"}"#)["ok"] != nil)
    #expect(Files.names(in: place.statePath + "/backups") == ["b.db"])
    #expect(try daemon.device().ask(#"{"op":"backup"}"#).errorCode == "forbidden")
  }

  @Test(
    "a backup for which there is no room fails, leaves nothing behind, and harms nobody",
    .enabled(if: SmallDisk.isPossible))
  func noRoom() throws {
    let place = try Installation(mebibytes: 40)
    let disk = try #require(place.disk)
    let daemon = try place.start()
    try fill(daemon)
    let client = try daemon.publisher()
    try disk.fill()
    let refusal = try client.ask(#"{"op":"backup"}"#)
    #expect(refusal.errorCode == "storage-unavailable")
    #expect(refusal["retryable"]?.raw == "true")
    disk.free()
    _ = try client.order(#"{"op":"update","id":"1","content-state":1}"#)
    let state = "/proc/\(daemon.process.processID)/root\(place.statePath)"
    #expect(try Shell.run("ls -A \(state)/backups").output == "")
    #expect(daemon.process.log.allSatisfy { !$0.contains("event=store-failed") })
    #expect(try daemon.stop() == .exited(0))
  }

  @Test("a client that asks for a backup, ends its output and waits gets its answer")
  func oneLiner() throws {
    let place = try Installation()
    let daemon = try place.start()
    try fill(daemon)
    let result = try daemon.type(#"echo '{"op":"backup"}' | nc -N -U $SOCKET | tail -n 2"#)
    #expect(result.lines.first?.contains(#""ok":"backup""#) == true)
  }

  @Test("a stop amid a backup isn't held up, and leaves no piece of it")
  func stopped() throws {
    let place = try Installation()
    let daemon = try place.start()
    try fill(daemon)
    let client = try daemon.publisher()
    try client.sendLine(#"{"op":"backup"}"#)
    #expect(try daemon.stop() == .exited(0))
    // Whether it came to its end before the stop did is open.
    let left = Files.names(in: place.statePath + "/backups")
    #expect(left.allSatisfy { $0.hasSuffix(".db") })
  }

  @Test("--verify tells a good store from a damaged one, and touches neither")
  func verification() throws {
    let place = try Installation()
    #expect(try verify("--verify", place).status == 74)
    let daemon = try place.start()
    _ = try daemon.publisher().order(
      #"{"op":"start","id":"a","attributes-type":"T","content-state":1}"#)
    let busy = try verify("--verify", place)
    #expect(busy.status == 75)
    #expect(busy.output.contains("process \(daemon.process.processID)"))
    // With what is in the log only.
    daemon.process.kill()
    let store = place.statePath + "/activityd.db"
    let sums = "cd \(place.statePath) && md5sum *"
    let before = try Shell.run(sums).output
    let good = try verify("--verify", place)
    #expect(good.status == 0)
    #expect(good.output.contains("active 1, "))
    #expect(good.output.hasSuffix("Nothing is wrong with it.\n"))
    #expect(try Shell.run(sums).output == before)

    #expect(try Shell.run("truncate -s 5000 \(store)").status == 0)
    let bad = try verify("--verify", place)
    #expect(bad.status == 74)
    #expect(bad.output.contains("restore a backup"))
  }
}
