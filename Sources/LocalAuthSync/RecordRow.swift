import LocalAuthCore

/// What is kept of one record: all that an event changes of it, so that it is one row.
struct RecordRow: Hashable {
  private static let purpose: StaticString = "LocalAuth sync row record 1"

  var record: ReplicaRecord?
  var line: ZoneManifest.Line?
  var reason: Inbox.Reason?
  var author: PeerIdentifier?
  var isWaiting: Bool

  /// The row of `name` in `replica`; nil if nothing there is about it.
  init?(_ name: RecordName, in replica: ZoneReplica) {
    record = replica.records[name]
    line = replica.chain.manifest.lines[name]
    reason = replica.inbox.waiting[name]
    author = replica.inbox.authors[name]
    isWaiting = replica.outbox.waiting.contains(name)
    guard isConsistent else { return nil }
  }

  /// Only what is here can wait for the hub, and only what the hub has can wait for keys.
  private var isConsistent: Bool {
    guard record != nil || line != nil, record != nil || !isWaiting, line != nil || reason == nil,
      reason != nil || author == nil
    else { return false }
    return record?.buried == nil || record?.mirrored?.isTombstone == true
  }

  var bytes: [UInt8] {
    var framed = FramedBytes(Self.purpose)
    framed.add(isWaiting)
    framed.add(record) { $0.add($1) }
    framed.add(line) { $0.add($1) }
    framed.add(reason) { [author] in $0.add($1, by: author) }
    return framed.bytes
  }

  /// Reads what ``bytes`` wrote; nil for anything else, and for parts that contradict each other.
  init?(_ bytes: [UInt8]) {
    guard var reader = FramedReader(bytes, for: Self.purpose), let isWaiting = reader.flag(),
      let record = reader.optional({ $0.record() }), let line = reader.optional({ $0.line() }),
      let reason = reader.optional({ $0.reason() }), reader.isAtEnd
    else { return nil }
    self.record = record
    self.line = line
    self.reason = reason?.reason
    author = reason?.author
    self.isWaiting = isWaiting
    guard isConsistent else { return nil }
  }
}

/// A version that a merge overruled, as it is kept.
extension ConflictShelf.Entry {
  private static let purpose: StaticString = "LocalAuth sync row lost 1"

  var bytes: [UInt8] {
    var framed = FramedBytes(Self.purpose)
    framed.add(name.digest)
    framed.add(version)
    framed.add(since)
    return framed.bytes
  }

  init?(_ bytes: [UInt8], number: UInt64) {
    // The next one has a number above it.
    guard number > 0, number < .max, var reader = FramedReader(bytes, for: Self.purpose),
      let name = reader.digest(), let version = reader.version(), let since = reader.time(),
      reader.isAtEnd
    else { return nil }
    self.init(name: RecordName(name), version: version, since: since, number: number)
  }
}

/// The digest at a place of a chain, as it is kept.
struct PlaceRow {
  private static let purpose: StaticString = "LocalAuth sync row place 1"

  let digest: SyncDigest

  init(_ digest: SyncDigest) { self.digest = digest }

  var bytes: [UInt8] {
    var framed = FramedBytes(Self.purpose)
    framed.add(digest)
    return framed.bytes
  }

  init?(_ bytes: [UInt8]) {
    guard var reader = FramedReader(bytes, for: Self.purpose), let digest = reader.digest(),
      reader.isAtEnd
    else { return nil }
    self.digest = digest
  }
}

/// What is kept of what others say of a place.
struct ClaimRow {
  private static let purpose: StaticString = "LocalAuth sync row claim 1"

  let claim: PlaceClaims.Claim

  init(_ claim: PlaceClaims.Claim) { self.claim = claim }

  var bytes: [UInt8] {
    var framed = FramedBytes(Self.purpose)
    framed.add(claim.digest)
    framed.add(UInt32(truncatingIfNeeded: claim.authors.count))
    for author in claim.authors.sorted() { framed.add(author) }
    return framed.bytes
  }

  init?(_ bytes: [UInt8]) {
    // Earlier versions did not write who said so, and it is as if the device had seen it.
    if let place = PlaceRow(bytes) {
      claim = PlaceClaims.Claim(place.digest)
      return
    }
    guard var reader = FramedReader(bytes, for: Self.purpose), let digest = reader.digest(),
      let count: UInt32 = reader.number(), count <= CircleLog.peersMax
    else { return nil }
    var authors: Set<PeerIdentifier> = []
    for _ in 0..<count {
      guard let author = reader.peer(), authors.insert(author).inserted else { return nil }
    }
    guard reader.isAtEnd else { return nil }
    claim = PlaceClaims.Claim(digest, by: authors)
  }
}

extension FramedBytes {
  fileprivate mutating func add(_ record: ReplicaRecord) {
    add(record.current)
    add(record.mirrored) { framed, mirrored in
      // Most records are as the hub has them, and then say it once.
      framed.add(mirrored == record.current ? nil : mirrored) { $0.add($1) }
    }
    add(record.buried) { $0.add($1) }
  }

  fileprivate mutating func add(_ line: ZoneManifest.Line) {
    add(line.body)
    add(line.keyClass.rawValue)
    add(line.epoch)
    add(line.number)
  }

  /// Earlier versions did not write the author, which is the highest bit of the code.
  fileprivate mutating func add(_ reason: Inbox.Reason, by author: PeerIdentifier?) {
    let code: UInt8 =
      switch reason {
      case .locked: 1
      case .epoch: 2
      case .body: 3
      case .newerFormat: 4
      case .checkpoint: 5
      case .unreadable: 6
      case .lost: 7
      case .unkept(let isNewer): isNewer ? 9 : 8
      }
    add(author == nil ? code : code | 0x80)
    if case .epoch(let epoch) = reason { add(epoch) }
    if let author { add(author) }
  }
}

extension FramedReader {
  fileprivate mutating func record() -> ReplicaRecord? {
    guard let current = version(),
      let mirrored = optional({ reader in reader.optional { $0.version() } }),
      let buried = optional({ $0.time() })
    else { return nil }
    if case .some(.some(let other)) = mirrored, other == current { return nil }
    return ReplicaRecord(
      current: current,
      mirrored: mirrored.map { $0 ?? current },
      buried: buried
    )
  }

  fileprivate mutating func line() -> ZoneManifest.Line? {
    guard let body = digest(), let keyClass = keyClass(), let epoch: UInt32 = number(),
      let number: UInt64 = number(), number > 0
    else { return nil }
    return ZoneManifest.Line(body: body, keyClass: keyClass, epoch: epoch, number: number)
  }

  fileprivate mutating func reason() -> (reason: Inbox.Reason, author: PeerIdentifier?)? {
    guard let code: UInt8 = number(), let reason = reason(code & 0x7F) else { return nil }
    guard code & 0x80 != 0 else { return (reason, nil) }
    return peer().map { (reason, $0) }
  }

  private mutating func reason(_ code: UInt8) -> Inbox.Reason? {
    switch code {
    case 1: .locked
    case 2: number().map { .epoch($0) }
    case 3: .body
    case 4: .newerFormat
    case 5: .checkpoint
    case 6: .unreadable
    case 7: .lost
    case 8: .unkept(isNewer: false)
    case 9: .unkept(isNewer: true)
    default: nil
    }
  }
}
