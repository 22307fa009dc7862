import TestSupport
import Testing

@Suite("--check-config") struct CheckConfigTests {
  private func check(_ path: String) throws -> (end: DaemonProcess.End, log: [String]) {
    let process = try DaemonProcess(["--check-config", "--config", path])
    return (try process.wait(), process.log)
  }

  @Test("says nothing against a sound configuration, with success")
  func sound() throws {
    let folder = try ConfigurationFolder("[Limits]\nMaxDepth=9")
    let result = try check(folder.main)
    #expect(result.end == .exited(0))
    #expect(result.log == [])
  }

  @Test("the sample file is sound")
  func sample() throws {
    #expect(try check(Files.repository("systemd/activityd.conf")).end == .exited(0))
  }

  @Test("prints every problem as file:line: message, with exit code 78")
  func unsound() throws {
    let folder = try ConfigurationFolder(
      "[Limits]\nMaxDepth=0\nMaxDept=9", dropIns: ["a.conf": "[Acess]\nAdmins=root"])
    let result = try check(folder.main)
    #expect(result.end == .exited(78))
    #expect(
      result.log == [
        "\(folder.main):2: MaxDepth takes a whole number from 4 to 1024, not 0",
        "\(folder.main):3: there is no key MaxDept; did you mean MaxDepth?",
        "\(folder.dropIn("a.conf")):1: there is no section [Acess]; did you mean [Access]?",
      ])
  }

  @Test("a daemon doesn't start with an unsound configuration, and says the same")
  func start() throws {
    let folder = try ConfigurationFolder("[Limits]\nMaxDepth=0")
    let process = try DaemonProcess(["--config=\(folder.main)"])
    #expect(try process.wait() == .exited(78))
    #expect(
      process.log == ["\(folder.main):2: MaxDepth takes a whole number from 4 to 1024, not 0"])
  }

  @Test("a service's own configuration is found, with its drop-ins, and may be missing")
  func service() throws {
    let directory = try TemporaryDirectory()
    let environment = ["CONFIGURATION_DIRECTORY=\(directory.path)"]
    func check() throws -> (DaemonProcess.End, [String]) {
      let process = try DaemonProcess(["--check-config"], environment: environment)
      return (try process.wait(), process.log)
    }
    #expect(try check() == (.exited(0), []))

    try Files.makeFolder(directory.file("activityd.conf.d"))
    try Files.write("x", to: directory.file("activityd.conf.d/a.conf"))
    try Files.write("[Limits]\nMaxDepth=0", to: directory.file("activityd.conf"))
    let (end, log) = try check()
    #expect(end == .exited(78))
    #expect(
      log == [
        "\(directory.file("activityd.conf")):2: MaxDepth takes a whole number from 4 to 1024, not 0",
        "\(directory.file("activityd.conf.d/a.conf")):1: a line is Key=Value, [Section] or a comment",
      ])
  }
}
