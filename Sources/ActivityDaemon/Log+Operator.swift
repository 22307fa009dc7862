internal import ServiceManager

extension Log {
  /// The operator's: the journal if the standard error goes there, else the standard error.
  package static func forOperator() -> Log {
    guard StandardError.isJournal else {
      return Log { StandardError.write("activityd: \($0.text)") }
    }
    return Log { entry in
      guard !Journal.send(entry.journalFields) else { return }
      StandardError.write("<\(entry.level.rawValue)>\(entry.text)")
    }
  }
}

extension Log {
  /// Why the daemon doesn't run: for a terminal a sentence, for the journal a line like others.
  package static func refuseToStart(because message: String) {
    guard StandardError.isJournal else { return StandardError.write("activityd: \(message)") }
    forOperator().line(.error, event: "start-failed", [("message", message)])
  }
}

extension Log.Entry {
  /// The entry as the journal takes it: each field also by itself, as `ACTIVITYD_DEVICE`.
  package var journalFields: [(name: String, value: String)] {
    let named = [Log.Field(name: "event", value: event)] + fields
    return [
      ("MESSAGE", text), ("PRIORITY", String(level.rawValue)), ("SYSLOG_IDENTIFIER", "activityd"),
    ]
      + named.map { field in
        let name = String(field.name.uppercased().map { $0 == "-" ? "_" : $0 })
        return ("ACTIVITYD_" + name, field.value)
      }
  }
}
