public import LocalAuthSync

/// Shares and older keys of zones, checkpoints and heartbeats, as a hub keeps them.
extension HubClient {
  /// Leaves the shares of an epoch; what this device left for the same receivers goes, unless it was made later.
  ///
  /// - Parameter shares: All of one zone, epoch and head of the circle's log, at most 256.
  /// - Throws: ``HubError``.
  public func put(_ shares: [KeyShare]) throws(HubError) {
    guard let first = shares.first else { return }
    guard
      shares.allSatisfy({
        ($0.zone, $0.epoch, $0.circleHead.number)
          == (first.zone, first.epoch, first.circleHead.number)
      })
    else { throw .unexpected("shares are of one zone, one epoch and one head") }
    _ = try connection.run(
      "select localauth.share_put($1, $2, $3, $4, $5)",
      [
        .text(first.zone.text), .number(Int64(first.epoch)),
        .number(Int64(clamping: first.circleHead.number)),
        .byteStrings(shares.map { Self.bytes(of: $0.receiver) }), .byteStrings(shares.map(\.bytes)),
      ]
    )
  }

  /// The shares for a device, those of newer epochs first, without what is no share.
  ///
  /// - Throws: ``HubError``.
  public func shares(for receiver: PeerIdentifier) throws(HubError) -> [KeyShare] {
    let rows = try connection.run(
      "select body from localauth.shares($1)",
      [.bytes(Self.bytes(of: receiver))]
    )
    return try rows.readable(0) { KeyShare($0) }
  }

  /// Leaves the keys of older epochs, for devices that join later; what this device left goes, unless it was made later.
  ///
  /// - Parameters:
  ///   - keys: At most 256.
  ///   - number: The number of the circle's log at which they were wrapped.
  /// - Throws: ``HubError``.
  public func put(_ keys: [OlderKeys], at number: UInt64) throws(HubError) {
    let places = Dictionary(grouping: keys) { OlderPlace(zone: $0.zone, newer: $0.newer) }
    for (place, keys) in places {
      _ = try connection.run(
        "select localauth.older_put($1, $2, $3, $4, $5)",
        [
          .text(place.zone.text), .number(Int64(place.newer)), .number(Int64(clamping: number)),
          .numbers(keys.map { Int64($0.epoch) }), .byteStrings(keys.map(\.wrapped)),
        ]
      )
    }
  }

  private struct OlderPlace: Hashable {
    let zone: ZoneName
    let newer: UInt32
  }

  /// The keys of older epochs that are wrapped under those of `newer`, without what can be none.
  ///
  /// - Throws: ``HubError``.
  public func olderKeys(_ zone: ZoneName, under newer: UInt32) throws(HubError) -> [OlderKeys] {
    let rows = try connection.run(
      "select epoch, body from localauth.older($1, $2)",
      [.text(zone.text), .number(Int64(newer))]
    )
    var keys: [OlderKeys] = []
    for row in 0..<rows.count {
      guard let epoch = UInt32(exactly: try rows.number(row, 0)),
        let wrapped = try rows.bytes(row, 1),
        let older = OlderKeys(zone, epoch: epoch, under: newer, wrapped: wrapped)
      else { continue }
      keys.append(older)
    }
    return keys
  }

  // MARK: Checkpoints

  /// Leaves one part of a checkpoint's manifest; with the last one the hub shows it.
  ///
  /// - Parameters:
  ///   - checkpoint: The checkpoint.
  ///   - part: The number of the part, from 0.
  ///   - parts: How many there are.
  ///   - lines: The part.
  /// - Throws: ``HubError``.
  public func put(
    _ checkpoint: ZoneCheckpoint,
    part: UInt16,
    of parts: UInt16,
    _ lines: ManifestPart
  ) throws(HubError) {
    _ = try connection.run(
      "select localauth.checkpoint_put($1, $2, $3, $4, $5, $6, $7)",
      [
        .text(checkpoint.zone.text), .number(Int64(clamping: checkpoint.place.number)),
        .bytes(checkpoint.place.digest.bytes), .bytes(checkpoint.bytes), .short(Int32(part)),
        .short(Int32(parts)), .bytes(lines.bytes),
      ]
    )
  }

  /// The latest checkpoint of a zone that has all its parts, and how many those are; nil for none, and for what is none.
  ///
  /// - Throws: ``HubError``.
  public func checkpoint(
    _ zone: ZoneName
  ) throws(HubError) -> (checkpoint: ZoneCheckpoint, parts: UInt16)? {
    let rows = try connection.run(
      "select body, parts from localauth.checkpoint_of($1)",
      [.text(zone.text)]
    )
    guard rows.count > 0, let checkpoint = try rows.bytes(0, 0).flatMap({ ZoneCheckpoint($0) })
    else { return nil }
    return (checkpoint, UInt16(clamping: try rows.number(0, 1)))
  }

  /// A part of the manifest of the latest checkpoint; nil if that is at another place by now, and for what is no part.
  ///
  /// - Throws: ``HubError``.
  public func manifest(
    _ zone: ZoneName,
    at place: ChainPlace,
    part: UInt16
  ) throws(HubError) -> ManifestPart? {
    let rows = try connection.run(
      "select lines from localauth.manifest_part($1, $2, $3)",
      [.text(zone.text), .number(Int64(clamping: place.number)), .short(Int32(part))]
    )
    guard rows.count > 0 else { return nil }
    return try rows.bytes(0, 0).flatMap { ManifestPart($0) }
  }

  // MARK: Heartbeats

  /// Leaves what this device says of itself, in place of what it said before.
  ///
  /// - Throws: ``HubError``.
  public func put(_ heartbeat: Heartbeat) throws(HubError) {
    _ = try connection.run("select localauth.heartbeat_put($1)", [.bytes(heartbeat.bytes)])
  }

  /// What all devices said last, behind a role, without what is no heartbeat.
  ///
  /// - Parameter role: The last role that is known.
  /// - Returns: as many as fit a page, none only if there are no more, and whether there are no more.
  /// - Throws: ``HubError``.
  public func heartbeats(
    after role: HubRole?
  ) throws(HubError) -> (heartbeats: [HubHeartbeat], isLast: Bool) {
    var last = role
    // Each page has another device's, at least, and the reader asks on behind the last one that it gets.
    for _ in 0..<CircleLog.peersMax {
      let page = try heartbeatPage(after: last)
      guard page.heartbeats.isEmpty, !page.isLast else { return (page.heartbeats, page.isLast) }
      last = page.end
    }
    throw .unexpected("heartbeats have no end")
  }

  /// One page of them, and the last role of which there was anything.
  private func heartbeatPage(
    after role: HubRole?
  ) throws(HubError) -> (heartbeats: [HubHeartbeat], end: HubRole?, isLast: Bool) {
    let rows = try connection.run(
      "select role::text, body from localauth.heartbeats($1::text::name)",
      [.text(role?.text ?? "")]
    )
    var heartbeats: [HubHeartbeat] = []
    var end = role
    for row in 0..<rows.count {
      guard try rows.text(row, 0) != nil else { return (heartbeats, end, true) }
      end = try rows.role(row, 0)
      guard let end, let heartbeat = try rows.bytes(row, 1).flatMap({ Heartbeat($0) }) else {
        continue
      }
      heartbeats.append(HubHeartbeat(end, heartbeat))
    }
    return (heartbeats, end, false)
  }

  private static func bytes(of peer: PeerIdentifier) -> [UInt8] {
    [peer.high, peer.low].flatMap { half in
      stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: half >> $0) }
    }
  }
}
