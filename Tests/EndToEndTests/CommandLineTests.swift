import TestSupport
import Testing

@Suite("The command line")
struct CommandLineTests {
  @Test(
    "help and version go to the standard output, with success",
    arguments: [
      ("--help", "Usage: activityd"), ("--version", "activityd 0."),
    ])
  func showing(option: String, beginning: String) throws {
    let result = try Shell.run("\(DaemonProcess.executable) \(option) 2>/dev/null")
    #expect(result.status == 0)
    #expect(result.output.hasPrefix(beginning))
    #expect(result.output.hasSuffix("\n"))
  }

  @Test("the help names every option and exit code")
  func helpIsComplete() throws {
    let help = try Shell.run("\(DaemonProcess.executable) --help").output
    for word in [
      "--listen", "--state-dir", "--loopback-role", "--time-scale", "--new-epoch", "--help",
      "--version", "64", "69", "74", "75", "78",
    ] {
      #expect(help.contains(word))
    }
  }

  @Test(
    "misuse is told, with exit code 64",
    arguments: [
      ["--frobnicate"], ["extra"], ["--listen"], ["--listen", "7420"],
      ["--listen", "tcp:127.0.0.1"],
      ["--listen", "tcp:127.0.0.1:65536"], ["--listen", "unix:"], ["--loopback-role", "king"],
      ["--time-scale", "0"], ["--time-scale", "100001"], ["--time-scale", "fast"],
      ["--time-scale=-1"], ["--state-dir", ""],
    ])
  func misuse(options: [String]) throws {
    let process = try DaemonProcess(options)
    #expect(try process.wait() == .exited(64))
    let last = try #require(options.last)
    #expect(
      process.log.first?.contains(
        options.count == 1 ? options[0].prefix { $0 != "=" } : "\(options[0])") == true)
    #expect(process.log.first?.contains(last.prefix { $0 != "=" }) == true)
  }
}
