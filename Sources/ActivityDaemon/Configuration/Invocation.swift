/// What the command line asks for.
package enum Invocation {
  case run(ConfigurationSource)
  /// Say what is wrong with the configuration.
  case check(ConfigurationSource)
  /// Say what is wrong with the store in the state directory, or with the one in this file.
  case verify(ConfigurationSource, file: String?)
  /// Print this and exit with success.
  case show(String)
  /// Print this to the standard error and exit with `ExitCode.usage`.
  case misused(String)
}

/// The exit codes, as in sysexits.h.
package enum ExitCode: Int32, Sendable {
  case stopped = 0
  case usage = 64
  case cannotListen = 69
  case storeUnreadable = 74
  case stateDirectoryInUse = 75
  case configuration = 78
}

extension Invocation {
  package static let version = "0.1.0"

  private static let usage = """
    Usage: activityd [OPTION]…
    Keeps the state of ongoing activities and many devices in step with it, over lines of JSON.

      --listen ADDRESS      tcp:HOST:PORT (HOST an IP address of this machine's loopback),
                            tls:HOST:PORT (with a TLSCertificate in the configuration) or
                            unix:PATH; may be given several times. Default: tcp:127.0.0.1:7420,
                            tcp:[::1]:7420 and activityd.sock in the runtime directory
      --state-dir DIR       where the store is; default $XDG_STATE_HOME/activityd or
                            ~/.local/state/activityd
      --loopback-role ROLE  what TCP connections from this machine may do: device (default),
                            publisher or admin
      --time-scale N        run the activities' clock N times as fast (1 to 100000), for tests
      --config FILE         read FILE; default activityd.conf in $CONFIGURATION_DIRECTORY or
                            /etc/activityd, if it is there. The files *.conf in FILE.d come
                            next, in the order of their names, then the options above
      --check-config        say what is wrong with the configuration, and exit
      --verify[=FILE]       say what is wrong with the store in the state directory, or with the
                            backup FILE, and exit with 0 or 74; nothing is written
      --new-epoch           the store is a copy: every cursor given before is void
      --help                show this and exit
      --version             show the version and exit

    Exit codes: 0 stopped, 64 usage, 69 cannot listen, 74 store unreadable, 75 state directory in
    use, 78 configuration.

    """

  /// Reads the arguments; the first is the program's name.
  package static func parse(_ arguments: [String]) -> Invocation {
    var source = ConfigurationSource()
    var isCheck = false
    var isVerification = false
    var file: String?
    var index = 1
    while index < arguments.count {
      var name = arguments[index]
      var value: String?
      index += 1
      if let equals = name.firstIndex(of: "="), name.hasPrefix("--") {
        value = String(name[name.index(after: equals)...])
        name = String(name[..<equals])
      }
      switch name {
      case "--help", "-h": return .show(usage)
      case "--version": return .show("activityd \(version)\n")
      case "--check-config": isCheck = true
      case "--verify":
        isVerification = true
        file = value
      case "--new-epoch": source.options.beginsNewEpoch = true
      case "--config", "--listen", "--state-dir", "--loopback-role", "--time-scale":
        if value == nil, index < arguments.count {
          value = arguments[index]
          index += 1
        }
        guard let value, !value.isEmpty else { return .misused("\(name) needs a value") }
        if let problem = source.set(name, to: value) { return .misused("\(name) \(problem)") }
      default: return .misused("there is no option \(name); see activityd --help")
      }
    }
    if isVerification { return .verify(source, file: file) }
    return isCheck ? .check(source) : .run(source)
  }
}
