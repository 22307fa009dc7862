import ActivityDaemon

/// A file of settings: what is read of it, written out again, reads as the same.
func fuzzConfiguration(_ input: [UInt8]) {
  let file = UnitFile(input, path: "fuzz.conf")
  let settings = Dictionary(uniqueKeysWithValues: Setting.all.map { ($0.name, $0) })
  var configuration = Configuration()
  for entry in file.entries {
    guard let setting = settings[entry.key] else { continue }
    do throws(BadValue) {
      try setting.set(entry.value, in: &configuration)
    } catch {
      precondition(!error.message.isEmpty, "a refusal without a reason")
    }
  }
  for problem in file.problems { precondition(!problem.description.isEmpty) }
  for setting in Setting.all where !setting.isList {
    let text = setting.text(in: configuration)
    var again = configuration
    do throws(BadValue) {
      try setting.set(text, in: &again)
    } catch {
      preconditionFailure("\(setting.name)=\(text), which it wrote itself, \(error.message)")
    }
    precondition(setting.text(in: again) == text, "\(setting.name)=\(text) reads as another")
  }
}
