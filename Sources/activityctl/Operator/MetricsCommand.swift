internal import ActivityClient

/// `activityctl metrics`.
enum MetricsCommand {
  static let metrics = Command(
    name: "metrics", summary: "write what stats tells in the text format of Prometheus",
    details: """
      Format 0.0.4, without timestamps; every name begins with activityd_. If the daemon doesn't \
      answer, activityd_up is 0 and alone, and the exit code is 69. For the textfile collector of \
      the node exporter there are activityd-metrics.service and activityd-metrics.timer: systemctl \
      enable --now activityd-metrics.timer. Needs role admin.
      """,
    options: [
      Option("openmetrics", .flag, "in the format of OpenMetrics instead"),
      Option("output", .file, "into this file, written aside and put in its place at once"),
    ]
  ) { arguments throws(Failure) in
    var failure: Failure?
    var stats: JSONObject?
    do throws(Failure) {
      stats = try Server.client(arguments).ask("stats").line
    } catch {
      guard error.code == .unavailable else { throw error }
      failure = error
    }
    let format: Metrics.Format = arguments.has("openmetrics") ? .openMetrics : .prometheus
    let text = Metrics.text(stats, as: format)
    if let path = arguments.string("output") {
      try OutputFile.replace(path, with: text)
    } else {
      Output.text(text)
    }
    if let failure { throw failure }
  }
}
