internal import ActivityClient

/// The figures of `stats` for Prometheus.
struct Metrics {
  /// How a text is written down.
  enum Format {
    /// Prometheus' own, version 0.0.4.
    case prometheus
    case openMetrics
  }

  fileprivate enum Kind {
    case gauge, counter, unknown
  }

  /// What becomes of a member of `stats`.
  fileprivate struct Entry {
    let key: String
    let name: String
    let kind: Kind
    let help: String
    /// What tells samples of one name apart: a value, or the members of an object.
    var label: (name: String, value: String?)?
    /// Of an object, those that it is about; nil for all.
    var members: [String]?
  }

  private var lines: [String] = []
  private var named: Set<String> = []
  private let format: Format

  /// - Parameter stats: nil if the daemon didn't answer.
  static func text(_ stats: JSONObject?, as format: Format) -> String {
    var metrics = Metrics(format: format)
    metrics.append(
      Entry(key: "", name: "up", kind: .gauge, help: "Whether activityd answered."),
      stats == nil ? "0" : "1")
    for entry in Self.entries { metrics.append(entry, of: stats ?? [:]) }
    let known = Set(Self.entries.map(\.key) + ["ok", "ref", "epoch"])
    for member in stats?.members ?? [] where !known.contains(member.key) {
      // A daemon newer than this knows more.
      let name = String(member.key.map { Self.isOfNames($0) ? $0 : "_" })
      let entry = Entry(
        key: member.key, name: name, kind: .unknown, help: "A figure of stats.",
        label: member.value.objectValue.map { _ in ("of", nil) })
      metrics.append(entry, of: stats ?? [:])
    }
    if format == .openMetrics { metrics.lines.append("# EOF") }
    return metrics.lines.joined(separator: "\n") + "\n"
  }

  private init(format: Format) { self.format = format }
}

// MARK: - Samples

extension Metrics {
  private mutating func append(_ entry: Entry, of stats: JSONObject) {
    switch stats[entry.key] {
    case .number(let token)?: append(entry, token, label: entry.label?.value)
    case .object(let object)?:
      for member in object.members where entry.members?.contains(member.key) ?? true {
        guard case .number(let token) = member.value else { continue }
        append(entry, token, label: entry.label == nil ? nil : member.key)
      }
    default: break
    }
  }

  private mutating func append(_ entry: Entry, _ number: String, label: String? = nil) {
    let family = "activityd_\(entry.name)"
    let sample = entry.kind == .counter ? family + "_total" : family
    if named.insert(family).inserted {
      let name = format == .openMetrics ? family : sample
      lines += ["# HELP \(name) \(entry.help)", "# TYPE \(name) \(type(of: entry.kind))"]
    }
    let labels = label.map { "{\(entry.label?.name ?? "of")=\(Self.quoted($0))}" } ?? ""
    lines.append("\(sample)\(labels) \(number)")
  }

  /// Whether the name of a metric may hold it.
  private static func isOfNames(_ character: Character) -> Bool {
    character.isASCII && (character.isLetter || character.isNumber)
  }

  private static func quoted(_ label: String) -> String {
    let escaped = TerminalText.safe(label).map { "\\\"".contains($0) ? "\\\($0)" : "\($0)" }
    return "\"\(escaped.joined())\""
  }

  private func type(of kind: Kind) -> String {
    switch kind {
    case .gauge: "gauge"
    case .counter: "counter"
    case .unknown: format == .openMetrics ? "unknown" : "untyped"
    }
  }
}

// MARK: - The table

extension Metrics {
  private static let entries: [Entry] = [
    Entry(key: "uptime", name: "uptime_seconds", kind: .gauge, help: "Time since the start."),
    Entry(key: "seq", name: "seq", kind: .gauge, help: "The number of the newest change."),
    Entry(
      key: "floor", name: "floor_seq", kind: .gauge, help: "The highest seq of what is forgotten."),
    Entry(
      key: "activities", name: "activities", kind: .gauge,
      help: "Activities that aren't dismissed.",
      label: ("state", nil)),
    Entry(
      key: "tombstones", name: "tombstones", kind: .gauge,
      help: "Dismissed activities that are remembered."),
    Entry(
      key: "deadlines", name: "deadlines", kind: .gauge,
      help: "Instants ahead at which an activity changes."),
    Entry(
      key: "idempotency-keys", name: "idempotency_keys", kind: .gauge,
      help: "Idempotency keys that are kept."),
    Entry(key: "tokens", name: "tokens", kind: .gauge, help: "Tokens in force."),
    Entry(key: "sessions", name: "sessions", kind: .gauge, help: "Connections."),
    Entry(
      key: "unauthenticated", name: "sessions_unauthenticated", kind: .gauge,
      help: "Connections that are still to show a token."),
    Entry(
      key: "subscribed", name: "sessions_subscribed", kind: .gauge,
      help: "Connections with a subscription."),
    Entry(
      key: "in-step", name: "sessions_in_step", kind: .gauge,
      help: "Connections with a subscription that lack nothing."),
    Entry(
      key: "dirty", name: "changes_waiting", kind: .gauge,
      help: "Changes that wait, summed over all connections.", label: ("for", "socket")),
    Entry(
      key: "paced", name: "changes_waiting", kind: .gauge, help: "", label: ("for", "pace")),
    Entry(key: "requests", name: "requests", kind: .counter, help: "Requests."),
    Entry(key: "refused", name: "requests_refused", kind: .counter, help: "Requests refused."),
    Entry(
      key: "unauthorized", name: "tokens_refused", kind: .counter,
      help: "Tokens shown that weren't right."),
    Entry(
      key: "unauthenticated-timeouts", name: "sessions_unauthenticated_timeouts", kind: .counter,
      help: "Connections that were to show a token and didn't in time."),
    Entry(
      key: "limit-reached", name: "limits_reached", kind: .counter,
      help: "How often a limit was in the way.", label: ("limit", nil)),
    Entry(
      key: "deliveries", name: "deliveries", kind: .counter,
      help: "Events sent, counted for each connection."),
    Entry(
      key: "conflated", name: "changes_conflated", kind: .counter,
      help: "Changes overtaken by newer ones before they could be sent."),
    Entry(
      key: "resumed", name: "subscriptions_resumed", kind: .counter,
      help: "Subscriptions that went on from their cursor."),
    Entry(
      key: "reset", name: "subscriptions_reset", kind: .counter,
      help: "Sessions that were sent the whole state anew."),
    Entry(
      key: "handshakes", name: "tls_handshakes_under_way", kind: .gauge,
      help: "TLS handshakes under way.", members: ["under-way"]),
    Entry(
      key: "handshakes", name: "tls_handshakes", kind: .counter,
      help: "TLS handshakes by what became of them.", label: ("result", nil),
      members: ["completed", "plain", "timed-out", "failed"]),
    Entry(key: "commits", name: "commits", kind: .counter, help: "Transactions of the store."),
    Entry(
      key: "failed-commits", name: "commits_failed", kind: .counter,
      help: "Transactions of the store that failed."),
    Entry(
      key: "changes", name: "changes_committed", kind: .counter,
      help: "Changes that are on disk."),
    Entry(
      key: "commit-changes-largest", name: "commit_changes_largest", kind: .gauge,
      help: "The most changes in one transaction."),
    Entry(
      key: "commit-seconds", name: "commit_seconds", kind: .counter,
      help: "Time spent on transactions."),
    Entry(
      key: "commit-longest", name: "commit_longest_seconds", kind: .gauge,
      help: "The longest transaction."),
    Entry(
      key: "turn-longest", name: "turn_longest_seconds", kind: .gauge,
      help: "The longest time in which the daemon looked at nothing else."),
  ]
}
