public import LocalAuthCore
public import LocalAuthKeychain
import LocalAuthSecret
public import LocalAuthSync

/// A version of an item, value or row that a merge overruled.
public struct SyncConflict: Hashable, Sendable {
  /// What was overruled.
  public enum Subject: Hashable, Sendable {
    /// An item of the keychain.
    case item(ItemName)
    /// The value of a key in a key-value store.
    case value(store: String, KeyValueKey)
    /// A row of a table.
    case row(TableKey)
  }

  /// What it is called here: the keyed digest of its content.
  public let identifier: SyncDigest
  /// What it is about; nil while the device is locked, which has not the keys to read it.
  public let subject: Subject?
  /// The name of the device that wrote it; nil if that never was in the circle.
  public let author: String?
  /// When it was written, by the clock of the device that did; 1970 for a value from before the device joined.
  public let modified: WallInstant
  /// When it lost, by this device's clock.
  public let since: WallInstant
  /// Whether nothing stands in its place, because the item or value was deleted.
  public let isDeleted: Bool
}

/// What a person makes of a version that lost.
public enum ConflictDecision: Hashable, Sendable {
  /// It takes the place of what stands, which is kept in its stead.
  case restore
  /// It is thrown away.
  case discard
}

/// What merges overruled, and the way back to it.
extension Synchronizer {
  private static let zonesWithConflicts = [ZoneName.items, .keyValues, .tables]

  /// What lost and is kept, the oldest first.
  ///
  /// - Parameter groups: The access groups of who asks; what is known to be of others is left out.
  /// - Returns: what lost.
  func conflicts(of groups: AccessGroups) -> [SyncConflict] {
    Self.zonesWithConflicts.flatMap { conflicts(in: $0, groups) }.sorted { $0.since < $1.since }
  }

  private func conflicts(in zone: ZoneName, _ groups: AccessGroups) -> [SyncConflict] {
    guard let replica = state.zones[zone] else { return [] }
    return replica.shelf.entries.compactMap { entry in
      let lost = lost(entry, in: zone)
      if let lost, !groups.allows(lost.group, writing: false) { return nil }
      return SyncConflict(
        identifier: entry.version.content,
        subject: lost?.subject,
        author: state.circle.peers[lost?.author ?? entry.version.made.peer]?.keys.name,
        modified: entry.version.modified,
        since: entry.since,
        isDeleted: replica.shown(entry.name) == nil
      )
    }
  }

  /// Does what a person decided about a version that lost, in one commit with the item.
  ///
  /// - Parameters:
  ///   - identifier: Which one.
  ///   - decision: What becomes of it.
  ///   - groups: The access groups of who decides, which must allow writing the item.
  ///   - body: Gets whether it is durable.
  func resolve(
    _ identifier: SyncDigest,
    _ decision: ConflictDecision,
    in groups: AccessGroups,
    then body: @escaping (Result<Void, SyncFailure>) -> Void
  ) {
    let turn: (@escaping () -> Void) -> Void = { [self] leave in
      let end: (Result<Void, SyncFailure>) -> Void = { result in
        leave()
        body(result)
      }
      guard let (zone, entry) = conflict(identifier), let lost = lost(entry, in: zone),
        groups.allows(lost.group, writing: true)
      else { return end(.failure(.noSuchConflict)) }
      var change = Change(state: state)
      _ = change.state.zones[zone]?.shelf.take(entry.name, content: identifier)
      change.state.bodies[.lost(zone, entry.name, identifier)] = nil
      guard decision == .discard || restore(lost, as: entry.name, in: &change) else {
        return end(.failure(whyNotRestored(lost)))
      }
      commit(change) { [weak self] result in
        guard case .success = result else { return end(.failure(.notStored)) }
        end(.success(()))
        self?.wake()
      }
    }
    takingTurn(turn, orEnded: { body(.failure(.notMember)) })
  }

  private func conflict(
    _ identifier: SyncDigest
  ) -> (zone: ZoneName, entry: ConflictShelf.Entry)? {
    for zone in Self.zonesWithConflicts {
      let entries = state.zones[zone]?.shelf.entries
      if let entry = entries?.first(where: { $0.version.content == identifier }) {
        return (zone, entry)
      }
    }
    return nil
  }

  /// What a version that lost says; nil if no key that is here opens it.
  private func lost(_ entry: ConflictShelf.Entry, in zone: ZoneName) -> LostVersion? {
    guard let body = state.bodies[.lost(zone, entry.name, entry.version.content)] else {
      return nil
    }
    let access = keys.access(to: zone, isUnlocked: vault.isUnlocked)
    for epoch in access.epochs.sorted(by: >) {
      let place = RecordPlace(
        circle: state.circle.circle,
        zone: zone,
        name: entry.name,
        epoch: epoch,
        keyClass: entry.version.keyClass
      )
      guard case .record(let head, let secret)? = keys[zone, epoch]?.open(body, at: place),
        head.version.content == entry.version.content,
        let record = LostVersion.Record(head, secret, in: zone)
      else { continue }
      return LostVersion(record: record, secret: SecretBox(secret))
    }
    return nil
  }

  private func restore(
    _ lost: LostVersion,
    as name: RecordName,
    in change: inout Change
  ) -> Bool {
    switch lost.record {
    case .item(let record): restore(record, lost.secret, as: name, in: &change)
    case .value(let record): restore(record, lost.secret, as: name, in: &change)
    case .row(let record, let row): restore(record.key, row, as: name, in: &change)
    }
  }

  /// Why what lost cannot take the place of what stands: the columns of two rows may be more than one row has.
  private func whyNotRestored(_ lost: LostVersion) -> SyncFailure {
    guard case .row(let record, let row) = lost.record else { return .notStored }
    let fits = hasRoom(for: row.cells.mapValues(\.value), in: record.key.plain)
    return fits ? .notStored : .rowTooLarge
  }

  /// Keeps what stands in a zone, because it loses; false if it is not here as it says.
  private func keepStanding(
    _ name: RecordName,
    _ zone: ZoneName,
    in change: inout Change
  ) -> Bool {
    guard let standing = change.state.zones[zone]?.shown(name) else { return true }
    guard let body = sealed(standing, of: name, zone, from: StoreReader(engine, device)) else {
      return false
    }
    change.state.zones[zone]?.shelve(standing, of: name, at: now.wall)
    change.state.bodies[.lost(zone, name, standing.content)] = body
    change.state.dropOldestLosers(in: zone)
    return true
  }

  /// Makes the item anew as it was in a version that lost; what stands loses in its stead.
  private func restore(
    _ record: ItemRecord,
    _ secret: SecretBox,
    as name: RecordName,
    in change: inout Change
  ) -> Bool {
    let now = now.wall
    let known = occupant(of: record.item, name)
    var item = record.item
    item.modified = now
    item.identifier = known ?? engine.itemIdentifiers.next(at: now, using: &engine.random)
    guard let keys = keys.newest(of: .items), let secret = secret.take(),
      let classKey = device.keybag.record.classKey(of: item.accessControl.protection)
    else { return false }
    guard keepStanding(name, .items, in: &change) else { return false }
    let edit = SyncEdit(
      item: item.identifier,
      record: (
        name, keys.content(record.content, secret),
        SyncedItem(item.identifier, unknown: record.unknown), record.keyClass
      ),
      mark: mark(item, secret)
    )
    let data: Secret? = item.hasData ? consume secret : nil
    guard let sealed = device.vault.seal(item, data: data, classKey: classKey, password: nil)
    else { return false }
    change.items.append(known == nil ? .add(sealed) : .replace(sealed))
    follow(edit, keys, at: now, in: &change)
    return true
  }

  /// Sets the value anew as it was in a version that lost; false if the store has no room for it.
  private func restore(
    _ record: ValueRecord,
    _ secret: SecretBox,
    as name: RecordName,
    in change: inout Change
  ) -> Bool {
    guard let keys = keys.newest(of: .keyValues), let secret = secret.take(),
      keepStanding(name, .keyValues, in: &change)
    else { return false }
    let bytes = StoredKeyValues.bytes(of: secret)
    var outgoing: [KeyValueKey: KeyValueZone.Value?] = [:]
    let isKept = bring(record.store, in: &change) { stored in
      try? stored.zone.set(record.key, to: KeyValueZone.Value(bytes, size: bytes.count))
      outgoing = stored.zone.takeOutgoing()
      return KeyValueZone.Downloaded(notices: [KeyValueNotice(.server, [record.key])])
    }
    guard isKept, !outgoing.isEmpty else { return false }
    send(outgoing, of: record.store, keys, at: now.wall, in: &change)
    return true
  }

  /// Writes the columns of a row anew as they were in a version that lost.
  private func restore(
    _ key: TableKey,
    _ row: TableRow,
    as name: RecordName,
    in change: inout Change
  ) -> Bool {
    guard keepStanding(name, .tables, in: &change) else { return false }
    return write(row.cells.mapValues(\.value), to: key.plain, in: &change)
  }
}

/// What a version that lost says.
private struct LostVersion {
  enum Record {
    case item(ItemRecord)
    case value(ValueRecord)
    case row(TableRecord, TableRow)

    init?(_ head: RecordHead, _ secret: borrowing Secret, in zone: ZoneName) {
      let record: Self? =
        switch zone {
        case .keyValues: ValueRecord(head).map { .value($0) }
        case .tables:
          TableRecord(head).flatMap { record in
            TableRow(StoredKeyValues.bytes(of: secret)).map { .row(record, $0) }
          }
        default: (try? ItemRecord(head)).map { .item($0) }
        }
      guard let record else { return nil }
      self = record
    }
  }

  let record: Record
  let secret: SecretBox

  var subject: SyncConflict.Subject {
    switch record {
    case .item(let record): .item(ItemName(of: record.item))
    case .value(let record): .value(store: record.store, record.key)
    case .row(let record, _): .row(record.key.plain)
    }
  }

  /// Who wrote the latest column of a row, which the merge of several made; nil for all else, and where that is not known.
  var author: PeerIdentifier? {
    guard case .row(_, let row) = record else { return nil }
    return row.cells.values.max { $0.written < $1.written }?.made?.peer
  }

  /// The access group that may look at it and decide.
  var group: String {
    switch record {
    case .item(let record): record.item.group
    case .value(let record): record.store
    case .row(let record, _): record.key.store.text
    }
  }
}
