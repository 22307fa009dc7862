/// A certificate authority of a test's own: `openssl` makes what it signs.
package final class TestAuthority {
  /// The files of a certificate, in PEM form.
  package struct Identity {
    package let certificate: String
    package let key: String

    package init(certificate: String, key: String) {
      self.certificate = certificate
      self.key = key
    }
  }

  private let directory: TemporaryDirectory
  private var count = 0

  package init(_ name: String = "Test authority") throws {
    directory = try TemporaryDirectory()
    try Self.run(
      """
      openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 \
        -subj '/CN=\(name)' -keyout \(directory.file("ca.key")) -out \(certificate)
      """)
  }

  /// The authority's own certificate.
  package var certificate: String { directory.file("ca.pem") }

  /// Makes a certificate and its key.
  ///
  /// - Parameters:
  ///   - subject: as `/O=Cantina/CN=till-3`.
  ///   - names: for what it is good as a server's, as openssl writes alternative names.
  ///   - days: how long it is valid from now; negative for one that has expired.
  ///   - key: what `openssl req -newkey` takes.
  package func issue(
    _ subject: String = "/CN=localhost", names: String = "DNS:localhost,IP:127.0.0.1",
    days: Int = 2, key: String = "ec -pkeyopt ec_paramgen_curve:P-256"
  ) throws -> Identity {
    count += 1
    let base = directory.file("\(count)")
    try Self.run(
      """
      openssl req -utf8 -newkey \(key) -nodes -subj '\(subject)' -keyout \(base).key -out \(base).csr
      echo 'subjectAltName=\(names)' >\(base).ext
      openssl x509 -req -in \(base).csr -CA \(certificate) -CAkey \(directory.file("ca.key")) \
        -set_serial \(count) -days \(days) -extfile \(base).ext -out \(base).pem
      """)
    return Identity(certificate: "\(base).pem", key: "\(base).key")
  }

  private static func run(_ script: String) throws {
    let result = try Shell.run("set -e; exec 2>&1\n\(script)")
    guard result.status == 0 else { throw TestFailure("openssl: \(result.output)") }
  }
}
