internal import ActivityCore
internal import ActivityWire
internal import Cryptography
internal import EventLoop

/// Makes a configuration of files, the later ones over the earlier ones, and gathers what is wrong
/// with them.
struct ConfigurationReader {
  private(set) var configuration = Configuration()
  private(set) var problems: [ConfigurationProblem] = []
  /// Where each key was set last.
  private var places: [String: (file: String, line: Int)] = [:]
  private var addressPlaces: [ListenAddress: (file: String, line: Int)] = [:]

  private static let sections = Setting.Section.allCases.map { "[\($0.rawValue)]" }
  private let settings = Dictionary(uniqueKeysWithValues: Setting.all.map { ($0.name, $0) })

  /// Takes over what a file says.
  mutating func read(_ file: UnitFile) {
    configuration.files.append(file.path)
    problems += file.problems
    var unknownHeading: Int?
    for entry in file.entries {
      if let section = Setting.Section(rawValue: entry.section) {
        read(entry, in: section, of: file)
      } else if entry.heading != unknownHeading {
        unknownHeading = entry.heading
        refuseSection(of: entry, in: file)
      }
    }
  }

  private mutating func read(
    _ entry: UnitFile.Entry, in section: Setting.Section, of file: UnitFile
  ) {
    guard let setting = settings[entry.key], setting.section == section else {
      return add(file.path, entry.line, unknownKey(entry.key))
    }
    if !setting.isList, let place = places[entry.key], place.file == file.path {
      return add(file.path, entry.line, "\(entry.key) is set in line \(place.line) already")
    }
    places[entry.key] = (file.path, entry.line)
    do throws(BadValue) {
      try setting.set(entry.value, in: &configuration)
    } catch {
      add(file.path, entry.line, "\(entry.key) \(error.message)")
    }
    let addresses = configuration.listen + configuration.listenTLS
    for address in addresses where addressPlaces[address] == nil {
      addressPlaces[address] = (file.path, entry.line)
    }
  }

  private mutating func refuseSection(of entry: UnitFile.Entry, in file: UnitFile) {
    guard entry.heading > 0 else {
      return add(file.path, entry.line, "\(entry.key) is above the first [Section]")
    }
    let section = "[\(entry.section)]"
    let suggestion = Spelling.suggestion(for: section, among: Self.sections)
    add(file.path, entry.heading, "there is no section \(section)\(suggestion)")
  }

  /// What is wrong with a key that isn't in its section.
  private func unknownKey(_ key: String) -> String {
    if let setting = settings[key] {
      return "\(key) belongs in [\(setting.section.rawValue)]"
    }
    let known = Setting.all.map(\.name)
    return "there is no key \(key)\(Spelling.suggestion(for: key, among: known))"
  }

  mutating func add(_ file: String, _ line: Int?, _ message: String) {
    problems.append(ConfigurationProblem(file: file, line: line, message: message))
  }
}

extension ConfigurationReader {
  /// Limits that may not be above another one.
  private static var ordered: [(lesser: String, greater: String, holds: (Limits) -> Bool)] {
    [
      (
        "MaxLineBytesBeforeHello", "MaxLineBytes",
        { $0.lineBytesMaxBeforeHello <= $0.lineBytesMax }
      ),
      ("DefaultLifetime", "MaxLifetime", { $0.lifetimeDefault <= $0.lifetimeMax }),
    ]
  }

  /// Takes over what the command line says, then looks at what must fit together.
  mutating func finish(with options: CommandLineOptions) {
    options.apply(to: &configuration)
    for (lesser, greater, holds) in Self.ordered where !holds(configuration.limits) {
      guard let place = places[lesser] ?? places[greater] else { continue }
      add(place.file, place.line, "\(lesser) is above \(greater)")
    }
    let insecure = configuration.listen.map { ($0, configuration.danger(of: $0)) }
    let secure = configuration.listenTLS.map { ($0, configuration.danger(of: $0, isSecure: true)) }
    for case (let address, let danger?) in insecure + secure {
      let place = options.listen.isEmpty ? addressPlaces[address] : nil
      add(place?.file ?? "--listen", place?.line, danger)
    }
    openSecurity()
    let files = configuration.files
    func position(_ problem: ConfigurationProblem) -> (file: Int, line: Int) {
      (files.firstIndex(of: problem.file) ?? files.count, problem.line ?? 0)
    }
    problems.sort { position($0) < position($1) }
  }
}

extension ConfigurationReader {
  /// Reads what TLS needs, so that a file that can't be used is found before anything changes.
  private mutating func openSecurity() {
    let files = configuration.securityFiles
    guard files.certificate != nil else {
      for key in ["TLSKey", "TLSClientCA"] where places[key] != nil && files != SecurityFiles() {
        add(at: key, "\(key) is of no use without TLSCertificate")
      }
      if !configuration.listenTLS.isEmpty {
        add(at: "ListenTLS", "TLS needs TLSCertificate: a file with the certificate")
      }
      return
    }
    do throws(SecurityFiles.Failure) {
      configuration.security = try SecurityContext(.server, files)
    } catch {
      let key = error.key(in: files)
      add(at: key, "\(key) \(error.path): \(error.reason)")
    }
    if !configuration.certificateRoles.isEmpty, files.authorities == nil {
      add(at: "TLSRole", "TLSRole needs TLSClientCA: whose certificates are taken")
    }
  }

  private mutating func add(at key: String, _ message: String) {
    add(places[key]?.file ?? "--listen", places[key]?.line, message)
  }
}

extension SecurityFiles.Failure {
  /// The key of the configuration that names the file.
  fileprivate func key(in files: SecurityFiles) -> String {
    switch kind {
    case .certificate: "TLSCertificate"
    case .key: files.key == nil ? "TLSCertificate" : "TLSKey"
    case .authorities: "TLSClientCA"
    }
  }
}
