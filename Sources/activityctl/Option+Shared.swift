/// Flags of several commands, in which they mean the same.
extension Option {
  static let id = Option("id", key: "id", .text("ID"), "which activity")
  static let device = Option("device", .text("NAME"), "as this device, which is remembered")
  static let surface = Option(
    "surface", .choice(["public", "private"]),
    "who can see it: where everybody can, what is sensitive isn't shown")
  static let ifVersion = Option(
    "if-version", key: "if-version", .number("N"), "only if it still has this version")
  static let publishedOn = Option(
    "channel", key: "channels", .names("NAME"), "publish it there; may be repeated")
  static let ifExists = Option(
    "if-exists", key: "if-exists", .choice(["error", "update", "replace"]),
    "what to do if the id is taken")
  static let lifetime = Option(
    "lifetime", key: "lifetime", .span, "how long it may be live; 8h if not said")
  static let sensitive = Option(
    "sensitive", key: "sensitive", .names("PATH"),
    "not shown where everybody can see it, as content-state/code; may be repeated")
  static let timestamp = Option(
    "timestamp", key: "timestamp", .number("SECONDS"), "when this was true, if not now")
  static let idempotencyKey = Option(
    "idempotency-key", key: "idempotency-key", .text("KEY"),
    "carried out once for this key, within 10 minutes")
  static let priority = Option(
    "priority", key: "priority", .number("10|5"), "10: at once; 5: within a second")

  /// The content-state.
  static let content: [Option] = [
    Option(
      "state", key: "content-state", .pairs,
      "the content; a value that is JSON is taken as JSON, others as text"),
    Option("state-json", key: "content-state", .json, "the content, of any form"),
  ]
  static let alert: [Option] = [
    Option("alert", key: "alert", .text("TEXT"), "draw attention, once"),
    Option("alert-json", key: "alert", .json, "the same, with title, body and sound"),
  ]
  /// When it begins, if that isn't now.
  static let start: [Option] = [
    Option("start-after", key: "start-after", .span, "begin after this time"),
    Option("start-date", key: "start-date", .number("SECONDS"), "the same, in seconds since 1970"),
  ]
  /// Of several writers.
  static let source: [Option] = [
    Option("source", key: "source", .text("NAME"), "which of several writers this is"),
    Option("source-priority", key: "source-priority", .number("N"), "which of them wins"),
  ]
  /// What `start` and `update` say beside the content.
  static let appearance: [Option] =
    [
      Option(
        "relevance", key: "relevance-score", .number("N"), "the higher, the sooner it is shown"),
      priority,
      Option("stale-after", key: "stale-after", .span, "out of date after this time"),
      Option(
        "stale-date", key: "stale-date", .number("SECONDS"), "the same, in seconds since 1970"),
    ] + alert + [
      Option("url", key: "url", .text("URL"), "where a tap leads"),
      Option("links", key: "links", .json, "where its parts lead"),
    ] + start + [sensitive] + source
  /// Which of all that there are, in place of one.
  static let several: [Option] = [
    Option("all", .flag, "all that there are"),
    Option("channel", .names("NAME"), "all on this channel; may be repeated"),
    Option("type", .names("NAME"), "all of this type; may be repeated"),
  ]
}
