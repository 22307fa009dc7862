internal import ActivityStore

/// `--verify`: what there is to say of a store at rest, and the code to exit with.
package struct StoreVerification: Sendable {
  /// For a person; ends with a newline.
  package let text: String
  package let code: ExitCode

  /// - Parameter file: of a backup, say; nil: the configured store's.
  package init(_ configuration: Configuration, file: String?) {
    do throws(StartFailure) {
      if let file {
        self.init(StoreReport(onFileAt: file), of: file)
      } else {
        let path = try Daemon.statePath(configuration)
        let directory = try StartFailure.wrapping { () throws(StateDirectoryError) in
          try StateDirectory(reading: path)
        }
        // It is held until all has been read.
        self = withExtendedLifetime(directory) {
          StoreVerification(
            StoreReport(onFileAt: directory.databasePath), of: directory.databasePath)
        }
      }
    } catch {
      self.init(text: "\(error.message)\n", code: error.code)
    }
  }

  private init(text: String, code: ExitCode) {
    self.text = text
    self.code = code
  }

  private init(_ report: StoreReport, of path: String) {
    var lines = ["\(path): \(report.facts.joined(separator: ", "))"]
    if report.facts.isEmpty { lines = [] }
    lines += report.problems.map { "\(path): \($0)" }
    lines.append(
      report.problems.isEmpty
        ? "Nothing is wrong with it."
        : "It can't be relied on: keep the file and its -wal as they are, and restore a backup.")
    self.init(
      text: lines.joined(separator: "\n") + "\n",
      code: report.problems.isEmpty ? .stopped : .storeUnreadable)
  }
}
