internal import ActivityClient
internal import Glibc

/// Which daemon is meant, and who we are there: flags first, then the environment.
enum Server {
  static func address(_ arguments: Arguments) throws(Failure) -> ServerAddress {
    guard let text = arguments.string("server") ?? variable("ACTIVITYD_SERVER") else {
      return .local
    }
    guard let address = ServerAddress(text) else {
      throw .usage(
        "\(text) is no address of a server: unix:PATH, tcp:HOST:PORT or tls:HOST:PORT",
        of: arguments.command.name)
    }
    return address
  }

  /// A token never stands on the command line, where others could see it.
  static func identity(_ arguments: Arguments) throws(Failure) -> Identity {
    var identity = Identity(device: arguments.ownString("device"), token: try token(arguments))
    identity.isPublic = arguments.ownString("surface") == "public"
    identity.tls = TLSFiles(
      authorities: arguments.string("ca") ?? variable("ACTIVITYD_CA"),
      certificate: arguments.string("cert") ?? variable("ACTIVITYD_CERT"),
      key: arguments.string("key") ?? variable("ACTIVITYD_KEY"))
    return identity
  }

  private static func token(_ arguments: Arguments) throws(Failure) -> String? {
    guard let path = arguments.string("token-file") ?? variable("ACTIVITYD_TOKEN_FILE") else {
      return variable("ACTIVITYD_TOKEN")
    }
    let words = try InputFile.text(path).split(whereSeparator: \.isWhitespace)
    guard words.count == 1 else {
      throw Failure(.data, "bad-token-file", "\(path) doesn't hold a token and nothing else")
    }
    return String(words[0])
  }

  /// Asks this one.
  static func client(_ arguments: Arguments) throws(Failure) -> Client {
    Client(
      try address(arguments), identity: try identity(arguments),
      patience: arguments.duration("retry") ?? .zero)
  }

  /// Follows what the command is to see of it.
  static func follower(_ arguments: Arguments) throws(Failure) -> Follower {
    Follower(
      try address(arguments), of: Interest.subscription(arguments),
      identity: try identity(arguments))
  }

  private static func variable(_ name: String) -> String? {
    guard let value = unsafe getenv(name), unsafe value.pointee != 0 else { return nil }
    return unsafe String(cString: value)
  }
}

extension Client {
  /// A request whose refusal ends the command.
  @discardableResult
  func ask(_ operation: String, _ keys: JSONObject = [:]) throws(Failure) -> Answer {
    do throws(ClientError) {
      return try request(operation, keys)
    } catch {
      throw Failure(error)
    }
  }

  /// The connection in use, made if there is none.
  func connection() throws(Failure) -> Connection {
    do throws(ClientError) {
      return try connected()
    } catch {
      throw Failure(error)
    }
  }

  /// The daemon's greeting.
  func welcome() throws(Failure) -> Welcome { try connection().welcome }
}

extension Follower {
  /// The next change; a refusal ends the command.
  func change(within: Duration? = nil, or other: CInt? = nil) throws(Failure) -> Change? {
    do throws(ClientError) {
      return try next(within: within, or: other)
    } catch {
      throw Failure(error)
    }
  }
}
