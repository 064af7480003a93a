public import LocalAuthSecret
public import LocalAuthSync

extension HubConnection {
  /// Connects a device to its hub.
  ///
  /// Over a network the hub must prove its name by a certificate that leads to the one that is pinned, and a password is
  /// proved to that very end of the channel: who holds another certificate of the same authority cannot pass it on.
  ///
  /// - Parameters:
  ///   - address: The hub, and who the device is there.
  ///   - password: Its password.
  ///   - patience: How long to wait, and what ends a wait.
  /// - Throws: `HubError.unreachable`.
  public init(
    to address: HubAddress,
    password: borrowing Secret,
    patience: HubPatience
  ) throws(HubError) {
    try self.init(Self.options(address), password: password, patience: patience)
  }

  /// libpq's options; each that it would take from its environment or a file in a home directory is named.
  static func options(_ address: HubAddress) -> [(name: String, value: String)] {
    var options = [
      ("host", address.host), ("port", String(address.port)), ("dbname", address.database),
      ("user", address.role.text), ("application_name", "localauth-sync"),
      ("client_encoding", "UTF8"), ("passfile", "/dev/null"), ("gssencmode", "disable"),
      // A copy that lags looks like a hub that was rolled back.
      ("target_session_attrs", "read-write"),
      ("keepalives_idle", "60"), ("keepalives_interval", "10"), ("keepalives_count", "3"),
      ("tcp_user_timeout", "20000"),
    ]
    guard !address.isLocal else {
      return options + [("sslmode", "disable"), ("channel_binding", "disable")]
    }
    options += [
      ("sslmode", "verify-full"), ("sslrootcert", address.authority),
      ("ssl_min_protocol_version", "TLSv1.2"), ("sslcompression", "0"),
      ("channel_binding", "require"),
    ]
    guard let certificate = address.certificate else {
      return options + [("sslcert", "/dev/null/none")]
    }
    return options + [("sslcert", certificate.path), ("sslkey", certificate.key)]
  }
}
