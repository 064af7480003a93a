public import LocalAuthCore
public import LocalAuthSync

/// A hub as one device speaks to it: its functions with the values of ``LocalAuthSync``.
///
/// Nothing that it returns is believed: whoever asks verifies entries and digests. For one thread at a time.
public struct HubClient: ~Copyable {
  let connection: HubConnection
  private let hash: any MessageHashing

  /// Speaks over `connection`.
  public init(_ connection: consuming HubConnection, _ hash: any MessageHashing) {
    self.connection = connection
    self.hash = hash
  }

  // MARK: The circle

  /// Appends an entry to the circle's log.
  ///
  /// - Parameters:
  ///   - entry: The entry.
  ///   - role: The role of the device that it removes; it is disconnected.
  /// - Returns: whether it was taken, and where.
  /// - Throws: ``HubError``.
  public func push(
    _ entry: CircleEntry,
    removing role: String? = nil
  ) throws(HubError) -> PushAnswer {
    var cuts: [ZoneHead] = []
    if case .remove(_, let heads) = entry.act { cuts = heads }
    let rows = try connection.run(
      "select * from localauth.circle_push($1, $2, $3, $4::text::name, $5, $6, $7)",
      [
        .number(Int64(clamping: entry.previous.number)), .bytes(entry.previous.digest.bytes),
        .bytes(entry.bytes), role.map { .text($0) } ?? .null, .texts(cuts.map(\.zone.text)),
        .numbers(cuts.map { Int64(clamping: $0.place.number) }),
        .byteStrings(cuts.map(\.place.digest.bytes)),
      ]
    )
    return try answer(rows)
  }

  /// The entries of the circle's log behind a number, as they came.
  ///
  /// - Throws: ``HubError``, `unexpected` for what is no entry.
  public func circleEntries(after number: UInt64) throws(HubError) -> [CircleEntry] {
    let rows = try connection.run(
      "select * from localauth.circle_pull($1)",
      [.number(Int64(clamping: number))]
    )
    var entries: [CircleEntry] = []
    for row in 0..<rows.count {
      guard let entry = try rows.bytes(row, 1).flatMap({ CircleEntry($0) }) else {
        throw .unexpected("the circle's log has what is no entry")
      }
      entries.append(entry)
    }
    return entries
  }

  // MARK: Zones

  /// Appends an entry to a zone with the bodies that it names; the same batch gets the same answer.
  ///
  /// - Parameters:
  ///   - entry: The entry.
  ///   - bodies: The sealed body of each record that it changes.
  /// - Returns: whether it was taken, and where.
  /// - Throws: ``HubError``.
  public func push(
    _ entry: ZoneEntry,
    _ bodies: [RecordName: [UInt8]]
  ) throws(HubError) -> PushAnswer {
    let rows = try connection.run(
      "select * from localauth.zone_push($1, $2, $3, $4, $5, $6, $7)",
      [
        .text(entry.zone.text), .number(Int64(clamping: entry.previous.number)),
        .bytes(entry.previous.digest.bytes), .bytes(Self.bytes(of: entry.batch)),
        .bytes(entry.bytes),
        .byteStrings(entry.changes.map(\.name.digest.bytes)),
        .byteStrings(entry.changes.map { $0.body == nil ? nil : bodies[$0.name] }),
      ]
    )
    return try answer(rows)
  }

  /// What a zone has behind a number: entries, and the bodies that came with them.
  ///
  /// - Parameters:
  ///   - zone: The zone.
  ///   - number: The last entry that is known.
  ///   - limit: The most entries.
  /// - Returns: the answer, whose digests are computed here, and the bodies.
  /// - Throws: ``HubError``, `unexpected` for what is no entry.
  public func pull(
    _ zone: ZoneName,
    after number: UInt64,
    limit: Int32 = 256
  ) throws(HubError) -> (answer: ZoneAnswer, bodies: [RecordName: [UInt8]]) {
    let rows = try connection.run(
      "select kind, number, name, body from localauth.zone_pull($1, $2, $3)",
      [.text(zone.text), .number(Int64(clamping: number)), .short(limit)]
    )
    var answer = ZoneAnswer(entries: [], bodies: [:], head: .beginning)
    var bodies: [RecordName: [UInt8]] = [:]
    for row in 0..<rows.count {
      let kind = try rows.text(row, 0)
      guard let bytes = try rows.bytes(row, 3) else { throw .unexpected("a row has no bytes") }
      switch kind {
      case "head":
        guard let digest = SyncDigest(bytes) else { throw .unexpected("a digest has 32 bytes") }
        let number = try rows.number(row, 1)
        answer.head = ChainPlace(number: UInt64(clamping: number), digest: digest)
      case "entry":
        guard let entry = ZoneEntry(bytes) else { throw .unexpected("a zone has what is no entry") }
        answer.entries.append(entry)
      case "record":
        guard let name = try rows.bytes(row, 2).flatMap({ SyncDigest($0) }).map({ RecordName($0) })
        else { throw .unexpected("a record's name has 32 bytes") }
        answer.bodies[name] = hash.digest(of: bytes)
        bodies[name] = bytes
      default: throw .unexpected("a zone has a row of an unknown kind")
      }
    }
    return (answer, bodies)
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
    guard let digest = try rows.bytes(0, 2).flatMap({ SyncDigest($0) }) else {
      throw .unexpected("a digest has 32 bytes")
    }
    let number = try rows.number(0, 1)
    return .accepted(ChainPlace(number: UInt64(clamping: number), digest: digest))
  }
}
