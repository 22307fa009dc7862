internal import ActivityClient

/// `activityctl backup`.
enum BackupCommand {
  /// A copy takes as long as the disk does.
  private static let patience: Duration = .seconds(6 * 3_600)

  static let backup = Command(
    name: "backup",
    summary: "copy the daemon's store to a new file while it runs",
    details: """
      The daemon writes FILE, as its own user and on its machine: an absolute path, or a name in \
      the folder backups of its state directory; made up if not said. A file that exists isn't \
      overwritten. activityd(8) tells how to go back to it. Needs role admin.
      """,
    operand: Operand(name: "FILE", isFile: true, isRequired: false)
  ) { arguments throws(Failure) in
    var keys = JSONObject()
    keys["path"] = arguments.operand.map(JSONValue.string)
    let client = try Server.client(arguments)
    try client.connection().patience = patience
    let line = try client.ask("backup", keys).line
    guard !arguments.has("json") else { return Output.json(line) }
    let bytes = Figure.whole(line.integer("bytes") ?? 0)
    Output.line(
      "\(line.string("path") ?? "?") (\(bytes) bytes, up to seq \(line.integer("seq") ?? 0))")
  }
}
