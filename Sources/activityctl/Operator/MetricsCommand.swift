internal import ActivityClient

/// `activityctl metrics`.
enum MetricsCommand {
  /// With that of connecting it is less than the service has before it is stopped, so that what is
  /// written is the truth.
  private static let patience: Duration = .seconds(4)

  static let metrics = Command(
    name: "metrics", summary: "write what stats tells in the text format of Prometheus",
    details: """
      Format 0.0.4, without timestamps; every name begins with activityd_. If the daemon can't be \
      reached or doesn't answer, activityd_up is 0 and alone, and the exit code is 69 or 75. For the textfile collector of \
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
    let client = try Server.client(arguments)
    do throws(ClientError) {
      try client.connected().patience = patience
      stats = try client.request("stats").line
    } catch {
      switch error {
      case .unreachable, .lost, .timedOut: failure = Failure(error)
      case .refused, .notUnderstood, .superseded: throw Failure(error)
      }
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
