internal import ActivityDaemon
internal import Glibc

let log = Log { level, line in
  StandardError.write((StandardError.isJournaled ? "<\(level.rawValue)>" : "activityd: ") + line)
}

switch Invocation.parse(CommandLine.arguments) {
case .show(let text):
  print(text, terminator: "")
case .misused(let problem):
  StandardError.write("activityd: \(problem)")
  exit(ExitCode.usage.rawValue)
case .run(let configuration):
  do throws(StartFailure) {
    let daemon = try Daemon(configuration, log: log)
    if isatty(STDOUT_FILENO) == 1 { print(daemon.greeting) }
    exit(daemon.run().rawValue)
  } catch {
    StandardError.write("activityd: \(error.message)")
    exit(error.code.rawValue)
  }
}
