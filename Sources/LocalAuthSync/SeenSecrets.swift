import LocalAuthCore
public import LocalAuthKeychain

/// What a removed device had seen, and still knows: a person changes these at their services.
///
/// New keys hide nothing that was read before. A record leaves the list when its secret is another one for sure, or when
/// it is deleted; where the device cannot tell, it stays.
///
/// | what happens to a record of the list                    | then                                             |
/// |---------------------------------------------------------|--------------------------------------------------|
/// | another secret takes the place of one that was opened   | it leaves                                        |
/// | the same secret does, as with another comment           | it stays                                         |
/// | one of the two could not be opened                      | it stays                                         |
/// | what came before the removal is opened only now         | it stays: the device could read that             |
/// | it is deleted                                           | it leaves                                        |
/// | a secret that left comes back, as under another account | that record is on the list                       |
public struct SeenSecrets: Hashable, Sendable {
  /// The device.
  public let peer: PeerIdentifier
  /// The records; true for one of which the hub had something that was not opened here when the device was removed.
  private(set) var records: [RecordName: Bool] = [:]
  /// Marks of secrets that it knows and that left the list.
  private(set) var former: Set<SyncDigest> = []
  /// The entry up to which it could read what has not come here yet; 0 for none.
  private(set) var due: UInt64 = 0

  /// What `peer` could read when it was removed, by the replica of a device that takes notice of it.
  ///
  /// Everything that the hub had, also what that device may not have asked for: nobody knows what it did.
  ///
  /// - Parameters:
  ///   - peer: The device.
  ///   - replica: What was here; nil for nothing.
  ///   - cut: Where the zone ended when it was removed; nil if it was not begun.
  public init(by peer: PeerIdentifier, in replica: ZoneReplica?, until cut: ChainPlace?) {
    self.peer = peer
    if let cut, cut.number > replica?.chain.head.number ?? 0 { due = cut.number }
    guard let replica else { return }
    for (name, record) in replica.records where !record.current.isTombstone {
      guard record.mirrored.map({ !$0.isTombstone }) ?? replica.isSentAgain else { continue }
      records[name] = false
    }
    for name in replica.inbox.waiting.keys where replica.isAwaited(name) { records[name] = true }
  }

  /// Whether nothing is left to remember.
  public var isEmpty: Bool { records.isEmpty && former.isEmpty && due == 0 }

  /// Whether something that it could read has not come here yet.
  public var isIncomplete: Bool { due > 0 }

  /// Whether any of its secrets can come back.
  public var hasFormer: Bool { !former.isEmpty }

  /// Whether a record is on the list.
  public func has(_ name: RecordName) -> Bool { records[name] != nil }

  /// The records of the list, also those that are not opened yet.
  public func listed(in replica: ZoneReplica) -> [RecordName] {
    records.keys.filter { replica.shown($0) != nil || replica.isAwaited($0) }.sorted()
  }

  // MARK: What happens

  /// Notes what comes and was at the hub when the device was removed, before it is opened.
  ///
  /// - Parameters:
  ///   - entries: The entries that came; none if the chain was begun at a checkpoint.
  ///   - old: The zone before.
  ///   - new: The zone now.
  /// - Returns: whether anything was noted.
  public mutating func foresee(
    _ entries: [ZoneEntry],
    from old: ZoneReplica,
    to new: ZoneReplica
  ) -> Bool {
    let (before, now) = (old.chain.head.number, new.chain.head.number)
    guard before < due, now > before else { return false }
    let came = entries.filter { $0.number > before && $0.number <= now }
    if came.isEmpty {
      // Which of a checkpoint's records were there nobody can tell.
      for name in new.chain.manifest.lines.keys { records[name] = true }
    }
    for entry in came where entry.number <= due {
      for change in entry.changes where change.body != nil { records[change.name] = true }
    }
    return true
  }

  /// A record has another content.
  ///
  /// - Parameters:
  ///   - name: The record.
  ///   - old: The secret that was here; nil if there was none, or it cannot be opened.
  ///   - new: The secret that takes its place; nil if it cannot be told.
  /// - Returns: whether anything was noted.
  public mutating func replace(
    _ name: RecordName,
    _ old: SecretMark?,
    by new: SecretMark?
  ) -> Bool {
    guard let new else { return false }
    guard let isAwaited = records[name] else {
      guard former.contains(new.kept) else { return false }
      records[name] = false
      return true
    }
    guard let old, old.secret != new.secret else { return false }
    former.insert(old.kept)
    // What was opened only now it could read, too; and what it could read before may come back at once.
    if !isAwaited, !former.contains(new.kept) { records[name] = nil }
    return true
  }

  /// A record is deleted; `old` is the secret that was here, nil if there was none or it cannot be opened.
  ///
  /// - Returns: whether anything was noted.
  public mutating func delete(_ name: RecordName, _ old: SecretMark?) -> Bool {
    guard let isAwaited = records[name] else { return false }
    if let old { former.insert(old.kept) }
    // What is opened later may stand instead of the deletion.
    if !isAwaited { records[name] = nil }
    return true
  }

  /// Forgets what is neither here nor waits any more, and what it waited for that has come.
  ///
  /// - Returns: whether anything was forgotten.
  public mutating func settle(in replica: ZoneReplica) -> Bool {
    var isChanged = false
    if due > 0, replica.chain.head.number >= due {
      due = 0
      isChanged = true
    }
    for (name, isAwaited) in records where !replica.isAwaited(name) {
      let left: Bool? = replica.shown(name) == nil ? nil : false
      guard left != isAwaited else { continue }
      records[name] = left
      isChanged = true
    }
    return isChanged
  }
}

/// Stands for the secret of an item.
public struct SecretMark: Hashable, Sendable {
  /// Stands for the secret alone.
  ///
  /// It is compared and never kept, or one who sees what is kept could try guesses.
  public let secret: SyncDigest
  /// Stands for the secret of this item under whatever name: it is bound to the time at which the item was created, which is
  /// sealed as the secret is.
  public let kept: SyncDigest

  /// The mark of these keyed digests.
  public init(secret: SyncDigest, kept: SyncDigest) {
    self.secret = secret
    self.kept = kept
  }

  /// What the digest of a secret alone is made over, besides the secret.
  public static let secretMessage = FramedBytes("LocalAuth sync secret 1").bytes

  /// What the digest that is kept is made over, besides the secret.
  public static func keptMessage(of item: Item) -> [UInt8] {
    var framed = FramedBytes("LocalAuth sync seen secret 1")
    framed.add(counted: Array(item.itemClass.rawValue.utf8))
    framed.add(item.created)
    return framed.bytes
  }
}

extension ZoneReplica {
  /// Whether something of a record came, or is to come, that may be opened later.
  fileprivate func isAwaited(_ name: RecordName) -> Bool {
    inbox.waiting[name].map { $0 != .unreadable } ?? false
  }

  /// Whether a person let a history of the hub go, so that the hub may have had what it has to be sent.
  fileprivate var isSentAgain: Bool { !chain.abandoned.isEmpty }
}

/// What a removed device had read, as a row.
extension SeenSecrets {
  private static let purpose: StaticString = "LocalAuth sync row seen 2"
  /// Earlier versions wrote the content of each record instead, and took any other one for another secret.
  private static let contentsPurpose: StaticString = "LocalAuth sync row seen 1"

  /// What becomes of the row of `peer`; nil for nothing that it knows any more.
  public static func change(of peer: PeerIdentifier, to seen: Self?) -> SyncRow.Change {
    let key = SyncRow.Key(.seen, .items, .peer(peer))
    guard let seen else { return .remove(key) }
    var framed = FramedBytes(purpose)
    framed.add(seen.due)
    framed.add(UInt32(truncatingIfNeeded: seen.records.count))
    for (name, isAwaited) in seen.records.sorted(by: { $0.key < $1.key }) {
      framed.add(name.digest)
      framed.add(isAwaited)
    }
    framed.add(UInt32(truncatingIfNeeded: seen.former.count))
    for mark in seen.former.sorted() { framed.add(mark) }
    return .put(SyncRow(key, framed.bytes))
  }

  /// Reads a row; nil for anything that ``change(of:to:)`` does not write, now or earlier.
  public init?(_ row: SyncRow) {
    guard row.key.kind == .seen, row.key.zone == .items, case .peer(let peer) = row.key.place else {
      return nil
    }
    self.peer = peer
    if var reader = FramedReader(row.value, for: Self.contentsPurpose) {
      guard let contents = reader.names({ $0.digest() }), reader.isAtEnd else { return nil }
      records = contents.mapValues { _ in false }
      return
    }
    guard var reader = FramedReader(row.value, for: Self.purpose),
      let due: UInt64 = reader.number(), let records = reader.names({ $0.flag() }),
      let former = reader.pairs(most: .max, { $0.digest() }, { _ in () }), reader.isAtEnd
    else { return nil }
    self.due = due
    self.records = records
    self.former = Set(former.keys)
  }
}

extension FramedReader {
  fileprivate mutating func names<Value>(
    _ readValue: (inout FramedReader) -> Value?
  ) -> [RecordName: Value]? {
    pairs(most: .max, { $0.digest().map { RecordName($0) } }, readValue)
  }
}
