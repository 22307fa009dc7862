/// Where a configuration comes from. It can be read again at any time.
///
/// The file is the one that `--config` names; else `activityd.conf` in `$CONFIGURATION_DIRECTORY`,
/// which systemd sets for a service; else `/etc/activityd/activityd.conf`, and then it may be
/// missing. Over it come its drop-ins, `activityd.conf.d/*.conf` beside it, in the order of their
/// names, and over all of them the options of the command line.
package struct ConfigurationSource: Sendable {
  /// The file that must be there; nil for the default, which may be missing.
  package var file: String?
  package var options = CommandLineOptions()

  private static let fileBytesMax = 1_048_576

  package init(file: String? = nil, options: CommandLineOptions = CommandLineOptions()) {
    self.file = file
    self.options = options
  }

  package func load() throws(InvalidConfiguration) -> Configuration {
    var reader = ConfigurationReader()
    let path = file ?? Places.configurationFile()
    read(path, mayBeMissing: file == nil, into: &reader)
    let folder = path + ".d"
    do throws(FileError) {
      for name in try Files.names(in: folder) where name.hasSuffix(".conf") {
        read("\(folder)/\(name)", mayBeMissing: false, into: &reader)
      }
    } catch {
      if !error.isMissing { reader.add(folder, nil, error.message) }
    }
    reader.finish(with: options)
    guard reader.problems.isEmpty else {
      throw InvalidConfiguration(problems: reader.problems)
    }
    return reader.configuration
  }

  private func read(_ path: String, mayBeMissing: Bool, into reader: inout ConfigurationReader) {
    do throws(FileError) {
      let content = try Files.content(of: path, bytesMax: Self.fileBytesMax)
      reader.read(UnitFile(content, path: path))
    } catch {
      if !(mayBeMissing && error.isMissing) { reader.add(path, nil, error.message) }
    }
  }
}
