internal import ActivityClient

/// Why a command came to nothing, as it is told to the user.
struct Failure: Error {
  let code: ExitCode
  /// The protocol's code, or a word of the same kind for what never reached the daemon.
  let word: String
  let message: String
  /// What the user can do about it.
  let advice: String?

  init(_ code: ExitCode, _ word: String, _ message: String, advice: String? = nil) {
    self.code = code
    self.word = word
    self.message = message
    self.advice = advice
  }

  static func usage(_ message: String, of command: String? = nil) -> Failure {
    let help = command.map { "activityctl \($0) --help" } ?? "activityctl --help"
    return Failure(.usage, "usage", message, advice: "See \(help).")
  }
}

/// The exit codes. Those above 2 are those of sysexits.h.
enum ExitCode: Int32, CaseIterable {
  case done = 0
  case refused = 1
  case usage = 64
  case data = 65
  case noInput = 66
  case unavailable = 69
  case cannotCreate = 73
  case temporary = 75
  case protocolError = 76
  case forbidden = 77

  /// What it means, for the help and the manual page.
  var meaning: String {
    switch self {
    case .done: "done; nothing new to do counts as done"
    case .refused: "the daemon refused, or something isn't as it should be"
    case .usage: "the command line is wrong"
    case .data: "what was to be read isn't what it should be"
    case .noInput: "a file can't be read"
    case .cannotCreate: "a file can't be written, or is there already"
    case .unavailable: "no daemon can be reached"
    case .temporary: "the outcome is unknown or may be better later: try again"
    case .protocolError: "what answers isn't an activityd"
    case .forbidden: "the role or the token doesn't allow it"
    }
  }
}

extension Failure {
  /// What a client threw.
  init(_ error: ClientError) {
    switch error {
    case .unreachable(let address, _):
      self.init(
        .unavailable, "unreachable", "\(error)",
        advice: Self.adviceToReach(address))
    case .lost:
      self.init(
        .temporary, "connection-lost", "\(error)",
        advice: "It may have been carried out. Try again; --retry 30s does so by itself.")
    case .timedOut:
      self.init(
        .temporary, "timed-out", "\(error)",
        advice: "It may have been carried out. Look with activityctl get, or try again.")
    case .notUnderstood:
      self.init(.protocolError, "not-understood", "\(error)", advice: "Is the address right?")
    case .superseded:
      self.init(
        .refused, "superseded", "\(error)", advice: "Give each device a name of its own: --device.")
    case .refused(let refusal): self.init(refusal)
    }
  }

  private init(_ refusal: Refusal) {
    let code: ExitCode =
      switch refusal.code {
      case "forbidden", "unauthorized": .forbidden
      case _ where refusal.isRetryable: .temporary
      default: .refused
      }
    self.init(
      code, refusal.code, refusal.message, advice: Advice.byCode[refusal.code])
  }

  private static func adviceToReach(_ address: ServerAddress) -> String {
    let start = "Start it (activityd, or systemctl start activityd), or say where it is"
    return "\(start): --server unix:PATH, tcp:HOST:PORT or tls:HOST:PORT."
  }
}

/// What somebody at a command line can do about a refusal.
enum Advice {
  static let byCode: [String: String] = [
    "already-exists": "Update it, or start it with --if-exists update or --if-exists replace.",
    "date-in-milliseconds": "Divide it by 1000, or use the flag that ends in -after.",
    "date-in-past": "Leave the start date out to start it now.",
    "ended": "It takes no more of this. Start it anew, with the same --id if you like.",
    "forbidden":
      "Use the Unix socket as root or as the daemon's own user, or give a token that grants it.",
    "idempotency-conflict": "Use a new key for each request, or leave the key out.",
    "internal": "That is a fault of the daemon; its log says more: journalctl -u activityd.",
    "limit-reached":
      "Something is full, or comes too fast. See activityctl stats; --retry 30s tries again.",
    "out-of-order": "Something newer was accepted already. Leave the timestamp out to be newest.",
    "outranked": "Another source holds it until its stale date. Raise --source-priority, or wait.",
    "payload-too-large": "Send less: a name or a URL for what is big.",
    "shutting-down": "The daemon is stopping. Try again, or let --retry 30s do so.",
    "storage-unavailable": "Its disk is full or broken; its log says more. Try again later.",
    "timestamp-in-future": "Set this machine's clock, or leave the timestamp out.",
    "unauthorized": "The token isn't known. Look at ACTIVITYD_TOKEN and --token-file.",
    "unknown-activity": "See activityctl list for those that there are.",
    "unknown-op": "The daemon is older than this activityctl, or newer.",
    "version-conflict": "It has changed meanwhile. Look with activityctl get and decide anew.",
  ]
}
