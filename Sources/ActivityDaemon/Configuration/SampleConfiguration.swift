/// The sample of a configuration: every key with what it means, what it takes and its default.
package enum SampleConfiguration {
  private static let introduction = """
    The configuration of activityd. Every key is shown with its default.

    Sections, keys and comments are written as in systemd's unit files. Files named *.conf in \
    the folder activityd.conf.d beside this one are read after it, in the order of their names; \
    what they set wins, and options of the command line win over both. A key that is set to \
    nothing has its default again.

    Sizes are in bytes, with K, M or G for powers of 1024. Times are written as in systemd: \
    "500ms", "1h 30min", "30d"; a number without a unit is of seconds.

    "activityd --check-config" says what is wrong in these files. "systemctl reload activityd" \
    reads them again, without disconnecting anybody; a key that says so needs a restart.
    """

  /// The content of `activityd.conf` as it is installed.
  package static var text: String {
    var lines = comment(introduction)
    for section in Setting.Section.allCases {
      lines += ["", "[\(section.rawValue)]"]
      for setting in Setting.all where setting.section == section {
        lines.append("")
        lines += comment("\(setting.text) Takes \(setting.form).\(restartNote(setting))")
        lines += setting.sample.map { "#\(setting.name)=\($0)" }
      }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private static func restartNote(_ setting: Setting) -> String {
    setting.needsRestart ? " Needs a restart." : ""
  }

  /// Paragraphs as comments of at most 98 columns.
  private static func comment(_ text: String) -> [String] {
    var lines: [String] = []
    for paragraph in text.split(separator: "\n", omittingEmptySubsequences: false) {
      var line = "#"
      for word in paragraph.split(separator: " ") {
        if line.count + 1 + word.count > 98 {
          lines.append(line)
          line = "#"
        }
        line += " " + word
      }
      lines.append(line)
    }
    return lines
  }
}
