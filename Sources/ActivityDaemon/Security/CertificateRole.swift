package import ActivityCore
package import Cryptography

/// The role that a client certificate brings, as the configuration says.
package struct CertificateRole: Equatable, Sendable {
  /// A common name; a whole subject, as `CN=till-3,O=Cantina`; or `*` for every certificate that no
  /// other rule names.
  package let name: String
  package let role: Role

  package init(name: String, role: Role) {
    self.name = name
    self.role = role
  }

  private func names(_ certificate: Certificate) -> Bool {
    name == (name.contains("=") ? certificate.subject : certificate.commonName)
  }

  /// Nil if no rule names the certificate: it is then good for nothing.
  package static func role(of certificate: Certificate, in rules: [CertificateRole]) -> Role? {
    let rule = rules.first { $0.names(certificate) } ?? rules.first { $0.name == "*" }
    return rule?.role
  }
}

extension Notation<CertificateRole> {
  static let certificateRole = Notation(
    "a name and a role, as till-3 publisher",
    recognizing: { text in
      // A subject may hold spaces.
      guard let space = text.lastIndex(of: " "),
        let role = Role(rawValue: String(text[text.index(after: space)...]))
      else { return nil }
      let name = text[..<space]
      guard let last = name.last(where: { $0 != " " }) else { return nil }
      return CertificateRole(name: String(name[...name.lastIndex(of: last)!]), role: role)
    }, write: { "\($0.name) \($0.role.rawValue)" })
}
