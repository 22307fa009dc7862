internal import ActivityCore

/// A key of the configuration: how it is written, what it means, and where its value goes.
package struct Setting {
  package enum Section: String, CaseIterable {
    case daemon = "Daemon"
    case access = "Access"
    case limits = "Limits"
  }

  package let section: Section
  package let name: String
  /// What it is for, in sentences for the operator.
  package let text: String
  /// What it takes, as "a time from 1s to 1min".
  package let form: String
  /// Whether it may be given again, for more of the same.
  package let isList: Bool
  /// Whether a running daemon goes on with the value it was started with.
  package let needsRestart: Bool
  /// The lines of the sample file, which show the default.
  package let sample: [String]

  private let setValue: (String, inout Configuration) throws(BadValue) -> Void
  private let getText: (Configuration) -> String
  private let copyValue: (Configuration, inout Configuration) -> Void

  /// A key that has one value.
  init<Value>(
    _ section: Section, _ name: String, _ path: WritableKeyPath<Configuration, Value>,
    _ notation: Notation<Value>, sample: [String]? = nil, needsRestart: Bool = false, _ text: String
  ) {
    self.init(
      section, name, path, notation, sample: sample, needsRestart: needsRestart, isList: false,
      text
    ) { value, configuration throws(BadValue) in
      let isDefault = value.isEmpty
      configuration[keyPath: path] =
        isDefault ? Configuration()[keyPath: path] : try notation.read(value)
    }
  }

  /// A key that adds to a list.
  init<Element: Equatable>(
    list section: Section, _ name: String, _ path: WritableKeyPath<Configuration, [Element]>,
    _ notation: Notation<[Element]>, sample: [String]? = nil, needsRestart: Bool = false,
    _ text: String
  ) {
    self.init(
      section, name, path, notation, sample: sample, needsRestart: needsRestart, isList: true,
      text
    ) { value, configuration throws(BadValue) in
      guard !value.isEmpty else { return configuration[keyPath: path] = [] }
      for element in try notation.read(value) {
        guard !configuration[keyPath: path].contains(element) else {
          throw BadValue("has \(notation.write([element])) already")
        }
        configuration[keyPath: path].append(element)
      }
    }
  }

  private init<Value>(
    _ section: Section, _ name: String, _ path: WritableKeyPath<Configuration, Value>,
    _ notation: Notation<Value>, sample: [String]?, needsRestart: Bool, isList: Bool,
    _ text: String,
    set setValue: @escaping (String, inout Configuration) throws(BadValue) -> Void
  ) {
    self.section = section
    self.name = name
    self.text = text
    self.isList = isList
    self.needsRestart = needsRestart
    self.sample = sample ?? [notation.write(Configuration()[keyPath: path])]
    form = notation.form
    self.setValue = setValue
    getText = { notation.write($0[keyPath: path]) }
    copyValue = { $1[keyPath: path] = $0[keyPath: path] }
  }
}

extension Setting {
  /// Sets a key's value, or adds to its list. Nothing sets its default.
  package func set(_ value: String, in configuration: inout Configuration) throws(BadValue) {
    try setValue(value, &configuration)
  }

  /// The value as it would be written; one that isn't there is written as nothing.
  package func text(in configuration: Configuration) -> String { getText(configuration) }

  package func copy(from source: Configuration, to target: inout Configuration) {
    copyValue(source, &target)
  }
}
