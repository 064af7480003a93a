public import LocalAuthSync

/// What a sponsor and an invited device say to each other by way of the hub, which can read it and not make it.
extension HubClient {
  /// Makes a role for a device that is to join within ten minutes.
  ///
  /// - Parameters:
  ///   - role: The role, which follows from the invitation's code.
  ///   - verifier: What PostgreSQL keeps of its password.
  ///   - offer: What the device is told.
  /// - Throws: ``HubError``.
  public func invite(_ role: HubRole, verifier: String, offer: [UInt8]) throws(HubError) {
    _ = try connection.run(
      "select localauth.invite($1::text::name, $2, $3)",
      [.text(role.text), .text(verifier), .bytes(offer)]
    )
  }

  /// Ends the role of a device that this one invited; nothing happens to one that has joined, or is gone.
  ///
  /// - Throws: ``HubError``.
  public func revoke(_ role: HubRole) throws(HubError) {
    _ = try connection.run("select localauth.revoke($1::text::name)", [.text(role.text)])
  }

  /// What the sponsor told this device; nil for one that nobody invited.
  ///
  /// - Throws: ``HubError``.
  public func offer() throws(HubError) -> [UInt8]? {
    try first(connection.run("select localauth.offer()"))
  }

  /// Asks to join; a second request changes nothing.
  ///
  /// - Throws: ``HubError``.
  public func ask(_ request: [UInt8]) throws(HubError) {
    _ = try connection.run("select localauth.ask($1)", [.bytes(request)])
  }

  /// What invited devices asked, by their roles.
  ///
  /// - Throws: ``HubError``.
  public func requests() throws(HubError) -> [HubRole: [UInt8]] {
    let rows = try connection.run("select joiner::text, request from localauth.requests()")
    var requests: [HubRole: [UInt8]] = [:]
    for row in 0..<rows.count {
      requests[try rows.role(row, 0)] = try rows.value(row, 1, "a request has bytes") { $0 }
    }
    return requests
  }

  /// Lets an invited device in.
  ///
  /// - Parameters:
  ///   - role: Its role.
  ///   - answer: What it is told.
  ///   - entry: The entry of the circle's log that added it; nil for a recovery key.
  /// - Throws: ``HubError``.
  public func admit(
    _ role: HubRole,
    answer: [UInt8],
    entry: UInt64? = nil
  ) throws(HubError) {
    _ = try connection.run(
      "select localauth.admit($1::text::name, $2, $3)",
      [.text(role.text), .bytes(answer), entry.map { .number(Int64(clamping: $0)) } ?? .null]
    )
  }

  /// What the sponsor answered this device; nil as long as nothing.
  ///
  /// - Throws: ``HubError``.
  public func answer() throws(HubError) -> [UInt8]? {
    try first(connection.run("select localauth.reply()"))
  }

  /// Another password for this device's role: whoever invited it knows the first one.
  ///
  /// - Throws: ``HubError``.
  public func setVerifier(_ verifier: String) throws(HubError) {
    _ = try connection.run("select localauth.verifier_put($1)", [.text(verifier)])
  }

  private func first(_ rows: consuming HubRows) throws(HubError) -> [UInt8]? {
    rows.count == 0 ? nil : try rows.bytes(0, 0)
  }
}
