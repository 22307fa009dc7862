import TestSupport
import Testing

@Suite("The command line")
struct CommandLineTests {
  @Test(
    "help and version go to the standard output, with success",
    arguments: [("--help", "Usage: activityd"), ("--version", "activityd 0.")])
  func showing(option: String, beginning: String) throws {
    let result = try Shell.run("\(DaemonProcess.executable) \(option) 2>/dev/null")
    #expect(result.status == 0)
    #expect(result.output.hasPrefix(beginning))
    #expect(result.output.hasSuffix("\n"))
  }

  @Test("README.md and the manual page name every option of the help, and exit code")
  func helpIsComplete() throws {
    let help = try Shell.run("\(DaemonProcess.executable) --help").output
    let readme = try Files.read(Files.repository("README.md"))
    let table = try #require(readme.split(separator: "\n## ").first { $0.hasPrefix("Options\n") })
    let manual = try Files.read(Files.repository("systemd/man/activityd.8"))
    let options = Self.options(in: help)
    #expect(options.count >= 10)
    for option in options {
      #expect(table.contains("`\(option)"), "\(option)")
      #expect(manual.contains("Fl Fl \(option.dropFirst(2))"), "\(option)")
    }
    #expect(Self.options(in: String(table)) == options)
    for code in ["64", "69", "74", "75", "78"] {
      #expect(help.contains(code))
      #expect(table.contains("\(code): "))
    }
  }

  private static func options(in text: String) -> Set<String> {
    let words = text.split { !$0.isLetter && $0 != "-" }.map(String.init)
    return Set(words.filter { $0.hasPrefix("--") && $0.contains(where: \.isLetter) })
  }

  /// Each with what the message must name.
  @Test(
    "misuse is told, with exit code 64",
    arguments: [
      (["--frobnicate"], "--frobnicate"), (["extra"], "extra"), (["--listen"], "--listen"),
      (["--listen", "7420"], "--listen"), (["--listen", "tcp:127.0.0.1"], "tcp:127.0.0.1"),
      (["--listen", "tcp:127.0.0.1:65536"], "65536"), (["--listen", "unix:"], "unix:"),
      (["--loopback-role", "king"], "king"), (["--time-scale", "0"], "--time-scale"),
      (["--time-scale", "100001"], "100001"), (["--time-scale", "fast"], "fast"),
      (["--time-scale=-1"], "-1"), (["--state-dir", ""], "--state-dir"),
    ])
  func misuse(options: [String], named: String) throws {
    let process = try DaemonProcess(options)
    #expect(try process.wait() == .exited(64))
    #expect(process.log.first?.contains(named) == true)
  }
}
