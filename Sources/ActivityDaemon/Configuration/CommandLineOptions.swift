package import ActivityCore
package import EventLoop

/// What the command line says of the configuration; it wins over the files.
package struct CommandLineOptions: Sendable {
  package var listen: [ListenAddress] = []
  package var listenTLS: [ListenAddress] = []
  package var stateDirectory: String?
  package var loopbackRole: Role?
  package var timeScale: Int?
  package var beginsNewEpoch = false

  package init() {}

  func apply(to configuration: inout Configuration) {
    if !listen.isEmpty || !listenTLS.isEmpty {
      configuration.listen = listen
      configuration.listenTLS = listenTLS
    }
    if let stateDirectory { configuration.stateDirectory = stateDirectory }
    if let loopbackRole { configuration.loopbackRole = loopbackRole }
    if let timeScale { configuration.timeScale = timeScale }
    configuration.beginsNewEpoch = beginsNewEpoch
  }
}

extension ConfigurationSource {
  /// Takes over one option of the command line; answers what is wrong with it.
  mutating func set(_ option: String, to value: String) -> String? {
    do throws(BadValue) {
      switch option {
      case "--config": file = value
      case "--listen" where value.hasPrefix("tls:"):
        options.listenTLS.append(try Notation.secureAddress.read(value))
      case "--listen": options.listen.append(try Notation.address.read(value))
      case "--state-dir": options.stateDirectory = value
      case "--loopback-role": options.loopbackRole = try Notation.role.read(value)
      default: options.timeScale = try Notation<Int>.count(Setting.timeScales).read(value)
      }
      return nil
    } catch {
      return error.message
    }
  }
}

extension Notation<ListenAddress> {
  fileprivate static let address = Notation(
    "tcp:HOST:PORT, tls:HOST:PORT or unix:PATH", recognizing: { ListenAddress(option: $0) },
    write: \.description)

  fileprivate static let secureAddress = Notation(
    address.form, recognizing: { ListenAddress(option: "tcp:" + $0.dropFirst(4)) },
    write: \.secureDescription)
}
