internal import ActivityCore
internal import ActivityWire
internal import EventLoop
internal import Glibc
internal import ServiceManager

/// Where clients come from: sockets of the daemon's own, or those that the service manager passed.
extension Daemon {
  func listen() throws(StartFailure) {
    let inherited = InheritedSocket.takeAll()
    guard inherited.isEmpty else { return try adopt(inherited) }
    let isDefault = configuration.listen.isEmpty && configuration.listenTLS.isEmpty
    for address in isDefault ? try Self.defaultAddresses() : configuration.listen {
      do throws(UVError) {
        try listen(on: address)
      } catch {
        // Not every machine has IPv6.
        if isDefault, case .tcp("::1", _) = address, error.errno != EADDRINUSE { continue }
        throw StartFailure(.cannotListen, "cannot listen on \(address): \(error)")
      }
    }
    for address in configuration.listenTLS {
      do throws(UVError) {
        try listen(on: address, isSecure: true)
      } catch {
        throw StartFailure(
          .cannotListen, "cannot listen on \(address.secureDescription): \(error)")
      }
    }
  }

  /// The `FileDescriptorName=` of passed sockets where TLS is spoken.
  private static let secureSocketName = "tls"

  /// Who passes sockets decides where clients come from: what is configured isn't opened.
  private func adopt(_ sockets: [InheritedSocket]) throws(StartFailure) {
    var fields = [("names", sockets.map(\.name).joined(separator: ","))]
    let ignored =
      configuration.listen.map(\.description) + configuration.listenTLS.map(\.secureDescription)
    if !ignored.isEmpty {
      fields.append(("not-opened", ignored.joined(separator: ",")))
    }
    log.line(.notice, event: "sockets-inherited", fields)
    for socket in sockets {
      let isSecure = socket.name == Self.secureSocketName
      guard !isSecure || configuration.security != nil else {
        throw StartFailure(
          .configuration,
          "a socket named \(socket.name) was passed, and there is no TLSCertificate")
      }
      do throws(UVError) {
        try listen(on: .inherited(descriptor: socket.descriptor), isSecure: isSecure)
      } catch {
        throw StartFailure(.cannotListen, "cannot use the socket from \(socket.name): \(error)")
      }
    }
    for listener in listeners {
      let isSecure = secureListeners.contains { $0 === listener }
      if let danger = configuration.danger(of: listener.address, isSecure: isSecure) {
        throw StartFailure(.configuration, "a socket was passed, but \(danger)")
      }
    }
  }

  /// - Parameter isSecure: whether TLS is spoken there.
  private func listen(on address: ListenAddress, isSecure: Bool = false) throws(UVError) {
    let bound = try address.bound()
    let peer = access.peer(on: bound, isSecure: isSecure)
    let listener = try Listener(
      loop: loop, address: address,
      onConnection: { [unowned self] in
        if isSecure { acceptSecurely($0, on: peer) } else { accept($0, on: peer) }
      },
      onFailure: { [unowned self] in acceptFailed($0) })
    listeners.append(listener)
    if isSecure { secureListeners.append(listener) }
  }

  private static func defaultAddresses() throws(StartFailure) -> [ListenAddress] {
    let directory = Places.runtimeDirectory()
    guard Places.isOurs(directory) else {
      throw StartFailure(
        .cannotListen,
        "\(directory) isn't a folder of this user's own and can't be made; say --listen unix:PATH")
    }
    return [
      .tcp(host: "127.0.0.1", port: 7420), .tcp(host: "::1", port: 7420),
      .unix(path: directory + "/activityd.sock"),
    ]
  }
}

// MARK: - Whoever connects

extension Daemon {
  /// In milliseconds.
  private static let userTimeoutMargin = 10_000

  private func accept(_ stream: EventLoop.Stream, on listener: Peer) {
    let peer = stream.kind == .unix ? peer(of: stream) : listener
    let visitor = visitor(of: stream)
    pace()
    if let visitor, let farewell = hub.turnAway(visitor, peer.role) {
      return stream.hangUp(saying: farewell)
    }
    let session = hub.connect(stream, peer: peer, visitor: visitor)
    stream.delegate = session
    limitSilence(of: stream)
    stream.startReading()
  }

  func limitSilence(of stream: EventLoop.Stream) {
    guard stream.kind == .tcp else { return }
    // A peer that is gone without a word is found by what it doesn't acknowledge, a little after
    // the hub would have found it not reading. Without it the hub still does.
    let limit = Int(hub.limits.notReadingMax.microseconds / 1_000) + Self.userTimeoutMargin
    try? stream.setUserTimeout(milliseconds: limit)
  }

  private var access: AccessRules { AccessRules(configuration, owner: getuid()) }

  /// Who is at the other end of a Unix socket, by the kernel's word.
  private func peer(of stream: EventLoop.Stream) -> Peer {
    // The kernel always knows; should it not, the peer is nobody.
    guard let credentials = try? stream.peerCredentials else {
      return Peer(role: .device, scope: "uid:unknown", description: "uid:unknown")
    }
    let groups = (try? stream.peerGroups) ?? []
    return Peer(
      role: access.role(of: credentials, groups: groups), scope: "uid:\(credentials.user)",
      description: "uid:\(credentials.user),pid:\(credentials.process)")
  }

  /// For whom a connection is counted.
  private func visitor(of stream: EventLoop.Stream) -> Visitor? {
    switch stream.kind {
    case .tcp: stream.peerHost.map { .host($0) }
    case .unix: (try? stream.peerCredentials).map { .user($0.user) }
    }
  }
}

// MARK: - Too many at once

extension Daemon {
  /// In milliseconds: short enough that nobody notices, long enough that some can be let in.
  private static let paceMilliseconds: UInt64 = 20
  private static let shortageMilliseconds: UInt64 = 1_000
  /// For so long after a shortage it is still the same one, in microseconds.
  private static let shortageLasts: Int64 = 10_000_000

  /// Counts a connection, and lets the next ones wait in the kernel if there were too many lately.
  func pace() {
    let now = clock.monotonicMicroseconds()
    if let failed = acceptFailedAt, now - failed > Self.shortageLasts {
      acceptFailedAt = nil
      log.line(.notice, event: "accept-resumed")
    }
    let wait = arrivals.charge(perSecond: hub.limits.newConnectionsPerSecondMax, at: now)
    guard wait.microseconds > 0 else { return }
    hub.statistics.reached(.newConnections)
    pauseAccepting(
      milliseconds: max(Self.paceMilliseconds, UInt64(wait.microseconds / 1_000)))
  }

  private func pauseAccepting(milliseconds: UInt64) {
    listeners.forEach { $0.pause() }
    retry.start(afterMilliseconds: milliseconds)
  }

  /// Out of descriptors or memory. Who waits is told to come back later, a few at a time; those who
  /// are here are served on.
  private func acceptFailed(_ error: UVError) {
    if acceptFailedAt == nil {
      log.line(.error, event: "accept-failed", [("error", "\(error)")])
    }
    acceptFailedAt = clock.monotonicMicroseconds()
    if error.errno == EMFILE || error.errno == ENFILE {
      for listener in listeners {
        let isSecure = secureListeners.contains { $0 === listener }
        listener.turnAway(using: reserve) {
          let farewell = hub.turnAwayForWantOfDescriptors()
          return isSecure ? [] : farewell
        }
      }
    }
    pauseAccepting(milliseconds: Self.shortageMilliseconds)
  }
}
