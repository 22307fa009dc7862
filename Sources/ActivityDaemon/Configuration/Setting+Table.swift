internal import ActivityCore
internal import ActivityWire
internal import Cryptography
internal import EventLoop

/// Every key of the configuration, in the order of the sample file.
extension Setting {
  package static var all: [Setting] { daemon + security + access + limits }

  /// How far the activities' clock may be sped up.
  static let timeScales = 1...100_000

  private static var daemon: [Setting] {
    [
      Setting(
        list: .daemon, "ListenTCP", \.tcpAddresses, Notation.tcp.single,
        sample: ["127.0.0.1:7420", "[::1]:7420"], needsRestart: true,
        """
        Where TCP connections are awaited. May be given several times. Once one address is given, \
        here or with ListenUnix, the daemon listens nowhere else.
        """),
      Setting(
        list: .daemon, "ListenUnix", \.unixAddresses, Notation.unix.single,
        sample: ["/run/activityd/activityd.sock"], needsRestart: true,
        """
        The socket file where connections of this machine are awaited. May be given several times. \
        The default is activityd.sock in the runtime directory.
        """),
      Setting(
        .daemon, "StateDirectory", \.stateDirectory, Notation.path.optional,
        sample: ["/var/lib/activityd"], needsRestart: true,
        """
        Where the store is. The default is the state directory that systemd made for the service; \
        started by hand, $XDG_STATE_HOME/activityd or ~/.local/state/activityd.
        """),
      Setting(
        .daemon, "StopWithin", \.stopWithin, .span(.seconds(0)...(.minutes(10))),
        "How long a stop may take to answer what was accepted, before connections are cut."),
      Setting(
        .daemon, "TimeScale", \.timeScale, .count(timeScales), needsRestart: true,
        """
        How many times as fast as the machine's the activities' clock runs, for tests. A store \
        keeps the one that it was made with.
        """),
    ]
  }

  private static var security: [Setting] {
    [
      Setting(
        list: .daemon, "ListenTLS", \.listenTLS, Notation.tcp.single, needsRestart: true,
        """
        Where TLS connections are awaited, as 127.0.0.1:7443; needs TLSCertificate. May be given \
        several times. Once one address is given the daemon listens nowhere else, but for what \
        ListenTCP and ListenUnix name.
        """),
      Setting(
        .daemon, "TLSCertificate", \.securityFiles.certificate, Notation.path.optional,
        """
        The certificate that is shown to TLS clients, followed by those between it and its \
        authority, in PEM form. Read again at a reload, as are the other TLS files: connections \
        made afterwards see the new one.
        """),
      Setting(
        .daemon, "TLSKey", \.securityFiles.key, Notation.path.optional,
        """
        The private key of TLSCertificate, in PEM form and without a passphrase. The default is \
        the file of the certificate.
        """),
    ]
  }

  private static var access: [Setting] {
    [
      Setting(
        list: .access, "Publishers", \.publishers, .accounts,
        """
        Who may start, update and end activities over the Unix socket, beside root and the \
        daemon's own user; everybody else there is a device. May be given several times; like \
        Admins it holds for connections made afterwards.
        """),
      Setting(
        list: .access, "Admins", \.admins, .accounts,
        "Who may also look after the daemon over the Unix socket."),
      Setting(
        .access, "LoopbackRole", \.loopbackRole, .role, needsRestart: true,
        """
        What TCP connections from this machine may do without a token. Any user and any program \
        of this machine can make one.
        """),
      Setting(
        .access, "TLSClientCA", \.securityFiles.authorities, Notation.path.optional,
        """
        Whose client certificates are taken over TLS, in PEM form; none without it. A client may \
        still come without a certificate, but with none that isn't signed by these.
        """),
      Setting(
        list: .access, "TLSRole", \.certificateRoles, Notation.certificateRole.single,
        """
        The role of a client certificate, by its common name, as "till-3 publisher", or its whole \
        subject, as "CN=wall,O=Cantina device"; * is for every certificate that no other line \
        names. A certificate without a role is good for nothing. May be given several times; holds \
        for connections made afterwards.
        """),
      Setting(
        .access, "RequireToken", \.requiresToken, .flag, needsRestart: true,
        """
        Whether every TCP connection must show a token in its hello before it may do anything, \
        from this machine too. activityctl token add makes one, over the Unix socket.
        """),
      Setting(
        .access, "AllowInsecure", \.allowsInsecure, .flag, needsRestart: true,
        """
        Whether addresses that other machines reach may be listened on without both RequireToken \
        and TLS. Without the former whoever connects is a device; without the latter everything, \
        tokens too, is readable on the way.
        """),
    ]
  }

  private static var limits: [Setting] {
    Limits.places.map { limit in
      let name = limit.name.description
      switch limit.place {
      case .bytes(let path, let range):
        return Setting(.limits, name, at(path), .bytes(range), limit.text)
      case .count(let path, let range):
        return Setting(.limits, name, at(path), .count(range), limit.text)
      case .optionalCount(let path, let range):
        return Setting(
          .limits, name, at(path), Notation<Int64>.count(range).optional, limit.text)
      case .span(let path, let range):
        return Setting(.limits, name, at(path), .span(range), limit.text)
      case .optionalSpan(let path, let range):
        return Setting(
          .limits, name, at(path), Notation<TimeSpan>.span(range).optional, limit.text)
      case .flag(let path): return Setting(.limits, name, at(path), .flag, limit.text)
      }
    }
  }

  private static func at<Value>(
    _ path: WritableKeyPath<Limits, Value>
  ) -> WritableKeyPath<Configuration, Value> {
    let limits: WritableKeyPath<Configuration, Limits> = \.limits
    return limits.appending(path: path)
  }
}

extension Configuration {
  /// The addresses of one kind: each has a key of its own.
  fileprivate var tcpAddresses: [ListenAddress] {
    get { listen.filter(\.isTCP) }
    set { listen = newValue + listen.filter { !$0.isTCP } }
  }

  fileprivate var unixAddresses: [ListenAddress] {
    get { listen.filter { !$0.isTCP } }
    set { listen = listen.filter(\.isTCP) + newValue }
  }
}

extension ListenAddress {
  fileprivate var isTCP: Bool {
    if case .tcp = self { true } else { false }
  }
}
