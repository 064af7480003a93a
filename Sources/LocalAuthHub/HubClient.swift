import LocalAuthCore
public import LocalAuthSync

/// A hub as one device speaks to it: its functions with the values of ``LocalAuthSync``.
///
/// Nothing that it returns is believed: whoever asks verifies entries and digests. For one thread at a time.
public struct HubClient: ~Copyable {
  let connection: HubConnection

  /// Speaks over `connection`.
  public init(_ connection: consuming HubConnection) { self.connection = connection }

  // MARK: The circle

  /// Appends an entry to the circle's log; that of a recovery key says which role the key has, if this device let it in.
  ///
  /// - Parameters:
  ///   - entry: The entry.
  ///   - removal: Who is removed, and disconnected; nil for an entry that removes nobody.
  /// - Returns: whether it was taken, and where.
  /// - Throws: ``HubError``.
  public func push(
    _ entry: CircleEntry,
    removing removal: HubRemoval? = nil
  ) throws(HubError) -> PushAnswer {
    let heads = removal?.remaining?.heads
    let rows = try connection.run(
      """
      select * from localauth.circle_push($1, $2, $3, $4, $5::text::name, $6, $7, $8, $9, $10::text[]::name[],
        ('localauth_' || left(encode(sha256($11), 'hex'), 32))::name)
      """,
      [
        .number(Int64(clamping: entry.previous.number)), .bytes(entry.previous.digest.bytes),
        .bytes(entry.bytes), removal.map { .number(Int64(clamping: $0.entry)) } ?? .null,
        removal?.role.map { .text($0.text) } ?? .null,
        heads.map { .texts($0.map(\.zone.text)) } ?? .null,
        heads.map { .numbers($0.map { Int64(clamping: $0.place.number) }) } ?? .null,
        heads.map { .byteStrings($0.map(\.place.digest.bytes)) } ?? .null,
        removal?.remaining.map { .numbers($0.entries.map { Int64(clamping: $0) }) } ?? .null,
        removal?.remaining.map { .texts($0.roles.map(\.text)) } ?? .null,
        Self.recovery(of: entry).map { .bytes($0.framed) } ?? .null,
      ]
    )
    return try answer(rows)
  }

  /// The recovery key that an entry has, whose role follows from it as ``HubRole/init(ofRecovery:)`` says.
  private static func recovery(of entry: CircleEntry) -> PeerKeys? {
    if case .recovery(let keys) = entry.act { keys } else { nil }
  }

  /// The entries of the circle's log behind a number, as many as fit a page, and none behind what is no entry.
  ///
  /// - Throws: ``HubError``.
  public func circleEntries(after number: UInt64) throws(HubError) -> [CircleEntry] {
    let rows = try connection.run(
      "select body from localauth.circle_pull($1)",
      [.number(Int64(clamping: number))]
    )
    var entries: [CircleEntry] = []
    for row in 0..<rows.count {
      guard let entry = try rows.bytes(row, 0).flatMap({ CircleEntry($0) }) else { break }
      entries.append(entry)
    }
    return entries
  }

  // MARK: Zones

  /// Appends an entry to a zone with the bodies that it names; the same batch gets the same answer.
  ///
  /// - Parameters:
  ///   - entry: The entry.
  ///   - bodies: The sealed body of each record that it changes, of at most `HubFrame.bodiesMax` together.
  /// - Returns: whether it was taken, and where.
  /// - Throws: ``HubError``.
  public func push(_ entry: ZoneEntry, _ bodies: ZoneBodies) throws(HubError) -> PushAnswer {
    // A record without its body would be dropped.
    guard HubRequest.areComplete(bodies, of: entry) else {
      throw .unexpected("a push brings each body that it names, and no other")
    }
    let rows = try connection.run(
      "select * from localauth.zone_push($1, $2, $3, $4, $5, $6, $7)",
      [
        .text(entry.zone.text), .number(Int64(clamping: entry.previous.number)),
        .bytes(entry.previous.digest.bytes), .bytes(Self.bytes(of: entry.batch)),
        .bytes(entry.bytes),
        .byteStrings(entry.changes.map(\.name.digest.bytes)),
        .byteStrings(entry.changes.map { bodies[$0.name] }),
      ]
    )
    return try answer(rows)
  }

  /// What a zone has behind a number: entries, and the bodies that came with them.
  ///
  /// A device may have left what is no entry. The page ends before it and says so, and what came with it or behind it is
  /// left out. What does not fit a message is left out, too, and comes with the next page.
  ///
  /// - Parameters:
  ///   - zone: The zone.
  ///   - number: The last entry that is known.
  ///   - limit: The most entries.
  /// - Returns: the page.
  /// - Throws: ``HubError``.
  public func pull(
    _ zone: ZoneName,
    after number: UInt64,
    limit: UInt16 = 256
  ) throws(HubError) -> ZonePage {
    let rows = try connection.run(
      "select kind, number, name, body from localauth.zone_pull($1, $2, $3)",
      [.text(zone.text), .number(Int64(clamping: number)), .short(Int32(limit))]
    )
    var pulled = PulledPage()
    for row in 0..<rows.count { try pulled.add(rows, row) }
    return pulled.page
  }

  /// The bodies that came with entries up to a number and are not changed since, behind a name.
  ///
  /// - Parameters:
  ///   - zone: The zone.
  ///   - number: The last entry.
  ///   - name: The last name that is known.
  /// - Returns: as many as fit a page, and whether there are no more.
  /// - Throws: ``HubError``.
  public func records(
    _ zone: ZoneName,
    upTo number: UInt64,
    after name: RecordName?
  ) throws(HubError) -> (bodies: ZoneBodies, isLast: Bool) {
    let rows = try connection.run(
      "select name, body from localauth.zone_records($1, $2, $3)",
      [
        .text(zone.text), .number(Int64(clamping: number)), .bytes(name?.digest.bytes ?? []),
      ]
    )
    var bodies: ZoneBodies = [:]
    for row in 0..<rows.count {
      guard try rows.bytes(row, 0) != nil else { return (bodies, true) }
      bodies[try rows.name(row, 0)] = try rows.body(row, 1)
    }
    return (bodies, false)
  }

  /// Where everything ends, and the hub's clock.
  ///
  /// - Throws: ``HubError``.
  public func heads() throws(HubError) -> HubHeads {
    let rows = try connection.run(
      "select zone, number, digest, milliseconds from localauth.heads()"
    )
    var circle = ChainPlace.beginning
    var zones: [ZoneHead] = []
    var milliseconds: Int64 = 0
    for row in 0..<min(rows.count, ZoneHead.zonesMax + 1) {
      milliseconds = try rows.number(row, 3)
      let place = try rows.place(row, 1, 2)
      guard let text = try rows.text(row, 0) else {
        circle = place
        continue
      }
      guard let zone = ZoneName(text) else { throw .unexpected("a zone has no name") }
      zones.append(ZoneHead(zone, place))
    }
    return HubHeads(circle: circle, zones: zones, time: WallInstant(milliseconds: milliseconds))
  }

  /// Tells the other devices that there is something new.
  ///
  /// - Throws: ``HubError``.
  public func tell() throws(HubError) { _ = try connection.run("select localauth.tell()") }

  private static func bytes(of batch: BatchIdentifier) -> [UInt8] {
    [batch.high, batch.low].flatMap { half in
      stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: half >> $0) }
    }
  }

  private func answer(_ rows: consuming HubRows) throws(HubError) -> PushAnswer {
    guard rows.count == 1 else { throw .unexpected("a push has one answer") }
    guard try rows.boolean(0, 0) else { return .refused }
    return .accepted(try rows.place(0, 1, 2))
  }
}
