internal import ActivityDaemon
internal import Glibc

Daemon.prepareProcess()
let log = Log.forOperator()

switch Invocation.parse(CommandLine.arguments) {
case .show(let text):
  print(text, terminator: "")
case .misused(let problem):
  StandardError.write("activityd: \(problem)")
  exit(ExitCode.usage.rawValue)
case .check(let source):
  do throws(InvalidConfiguration) {
    print(try source.load().summary)
  } catch {
    refuse(error)
  }
case .verify(let source, let file):
  do throws(InvalidConfiguration) {
    let verification = StoreVerification(try source.load(), file: file)
    print(verification.text, terminator: "")
    exit(verification.code.rawValue)
  } catch {
    refuse(error)
  }
case .run(let source):
  do throws(InvalidConfiguration) {
    run(try source.load(), from: source, log: log)
  } catch {
    refuse(error)
  }
}

func run(_ configuration: Configuration, from source: ConfigurationSource, log: Log) -> Never {
  do throws(StartFailure) {
    let daemon = try Daemon(configuration, from: source, log: log)
    if isatty(STDOUT_FILENO) == 1 { print(daemon.greeting) }
    exit(daemon.run().rawValue)
  } catch {
    Log.refuseToStart(because: error.message)
    exit(error.code.rawValue)
  }
}

func refuse(_ error: InvalidConfiguration) -> Never {
  for problem in error.problems { StandardError.write("\(problem)") }
  exit(ExitCode.configuration.rawValue)
}
