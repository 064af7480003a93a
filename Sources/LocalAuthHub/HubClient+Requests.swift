public import LocalAuthSync

extension HubClient {
  /// Does what a daemon asks, once the device is connected.
  ///
  /// - Parameter request: Anything but ``HubRequest/connect(_:)``.
  /// - Returns: its reply.
  /// - Throws: ``HubError``.
  public func reply(to request: HubRequest) throws(HubError) -> HubReply {
    switch request {
    case .connect: throw .unexpected("this connection has its hub already")
    case .circlePush(let entry, let removal): return .pushed(try push(entry, removing: removal))
    case .circlePull(let number): return .circle(try circleEntries(after: number))
    case .zonePush(let entry, let bodies): return .pushed(try push(entry, bodies))
    case .zonePull(let zone, let number, let limit):
      return .zone(try pull(zone, after: number, limit: limit))
    case .records(let zone, let number, let name):
      let page = try records(zone, upTo: number, after: name)
      return .records(page.bodies, isLast: page.isLast)
    case .heads: return .heads(try heads())
    case .putShares(let shares): return try done { () throws(HubError) in try put(shares) }
    case .shares(let peer): return .shares(try shares(for: peer))
    case .putOlderKeys(let keys, let number):
      return try done { () throws(HubError) in try put(keys, at: number) }
    case .olderKeys(let zone, let epoch): return .olderKeys(try olderKeys(zone, under: epoch))
    case .putCheckpoint(let checkpoint, let part, let parts, let lines):
      return try done { () throws(HubError) in
        try put(checkpoint, part: part, of: parts, lines)
      }
    case .checkpoint(let zone):
      let found = try checkpoint(zone)
      return .checkpoint(found?.checkpoint, parts: found?.parts ?? 0)
    case .manifest(let zone, let place, let part):
      return .manifest(try manifest(zone, at: place, part: part))
    case .putHeartbeat(let heartbeat): return try done { () throws(HubError) in try put(heartbeat) }
    case .heartbeats(let role):
      let page = try heartbeats(after: role)
      return .heartbeats(page.heartbeats, isLast: page.isLast)
    case .invite(let role, let verifier, let offer):
      return try done { () throws(HubError) in
        try invite(role, verifier: verifier, offer: offer)
      }
    case .revoke(let role): return try done { () throws(HubError) in try revoke(role) }
    case .offer: return .letter(try offer())
    case .ask(let letter): return try done { () throws(HubError) in try ask(letter) }
    case .requests: return .requests(try requests())
    case .admit(let role, let letter, let entry):
      return try done { () throws(HubError) in try admit(role, answer: letter, entry: entry) }
    case .answer: return .letter(try answer())
    case .setVerifier(let verifier):
      return try done { () throws(HubError) in try setVerifier(verifier) }
    case .tell: return try done { () throws(HubError) in try tell() }
    }
  }

  private func done(_ body: () throws(HubError) -> Void) throws(HubError) -> HubReply {
    try body()
    return .done
  }

  /// Looks whether the hub speaks this version, and listens to what other devices tell, once this one has joined.
  ///
  /// - Throws: ``HubError``, `schema` for another version or none.
  public func begin() throws(HubError) {
    let wanted = HubSchema.newest
    do throws(HubError) {
      let found = try connection.run("select localauth.schema_version()").number(0, 0)
      guard found == wanted else { throw .schema(found: Int(found), wanted: wanted) }
    } catch {
      // There is no such schema, or no such function in it.
      if case .refused(let code, _) = error, ["3F000", "42883"].contains(code) {
        throw .schema(found: nil, wanted: wanted)
      }
      throw error
    }
    // What nobody waits for any more ends in the server, too, and holds nothing up.
    try connection.runScript("set statement_timeout = '50s'; set lock_timeout = '20s'")
    let channel = try connection.text("select localauth.channel()")
    // A device that is only invited has nothing to hear.
    guard !channel.isEmpty else { return }
    // It becomes part of a statement, and the hub chose it.
    guard HubRole(channel) != nil else { throw .unexpected("a channel has another name") }
    try connection.runScript("listen \(channel)")
  }

  /// Whether another device told of something new since the last time.
  ///
  /// - Throws: `HubError.unreachable`, if the connection broke.
  public func takeNews() throws(HubError) -> Bool { try connection.takeNotifications() }

  /// The socket, to wait for news on.
  public var socket: Int32 { connection.socket }
}
