internal import ActivityWire
package import EventLoop
internal import Glibc

/// What the command line asks for.
package enum Invocation {
  case run(Configuration)
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

      --listen ADDRESS      tcp:HOST:PORT (HOST an IP address of this machine's loopback) or
                            unix:PATH; may be given several times. Default: tcp:127.0.0.1:7420,
                            tcp:[::1]:7420 and activityd.sock in the runtime directory
      --state-dir DIR       where the store is; default $XDG_STATE_HOME/activityd or
                            ~/.local/state/activityd
      --loopback-role ROLE  what TCP connections from this machine may do: device (default),
                            publisher or admin
      --time-scale N        run the activities' clock N times as fast (1 to 100000), for tests
      --new-epoch           the store is a copy: every cursor given before is void
      --help                show this and exit
      --version             show the version and exit

    Exit codes: 0 stopped, 64 usage, 69 cannot listen, 74 store unreadable, 75 state directory in
    use, 78 configuration.

    """

  /// Reads the arguments; the first is the program's name.
  package static func parse(_ arguments: [String]) -> Invocation {
    var configuration = Configuration()
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
      case "--new-epoch": configuration.beginsNewEpoch = true
      case "--listen", "--state-dir", "--loopback-role", "--time-scale":
        if value == nil, index < arguments.count {
          value = arguments[index]
          index += 1
        }
        guard let value else { return .misused("\(name) needs a value") }
        if let problem = configuration.set(name, to: value) { return .misused(problem) }
      default: return .misused("there is no option \(name); see activityd --help")
      }
    }
    return .run(configuration)
  }
}

extension Configuration {
  /// Takes over one option; answers what is wrong with it.
  fileprivate mutating func set(_ option: String, to value: String) -> String? {
    switch option {
    case "--listen":
      guard let address = ListenAddress(option: value) else {
        return "--listen takes tcp:HOST:PORT or unix:PATH, not \(value)"
      }
      listen.append(address)
    case "--state-dir":
      guard !value.isEmpty else { return "--state-dir needs a path" }
      stateDirectory = value
    case "--loopback-role":
      guard let role = Role(rawValue: value) else {
        return "--loopback-role is device, publisher or admin, not \(value)"
      }
      loopbackRole = role
    default:
      guard let scale = Int(value), (1...100_000).contains(scale) else {
        return "--time-scale takes a whole number from 1 to 100000, not \(value)"
      }
      timeScale = scale
    }
    return nil
  }
}

extension ListenAddress {
  /// `tcp:HOST:PORT`, with brackets around an IPv6 address, or `unix:PATH`.
  package init?(option: String) {
    if option.hasPrefix("unix:") {
      let path = String(option.dropFirst(5))
      // The longest path that a socket address holds.
      guard !path.isEmpty, path.utf8.count <= 107 else { return nil }
      self = .unix(path: path)
    } else if option.hasPrefix("tcp:"), let colon = option.lastIndex(of: ":") {
      let start = option.index(option.startIndex, offsetBy: 4)
      guard start <= colon else { return nil }
      var host = option[start..<colon]
      guard let port = UInt16(option[option.index(after: colon)...]) else { return nil }
      if host.hasPrefix("["), host.hasSuffix("]") { host = host.dropFirst().dropLast() }
      guard !host.isEmpty else { return nil }
      self = .tcp(host: host == "localhost" ? "127.0.0.1" : String(host), port: port)
    } else {
      return nil
    }
  }

  /// Whether only this machine can connect.
  package var isLocal: Bool {
    switch self {
    case .tcp(let host, _): host.hasPrefix("127.") || host == "::1"
    case .unix, .inherited: true
    }
  }
}
