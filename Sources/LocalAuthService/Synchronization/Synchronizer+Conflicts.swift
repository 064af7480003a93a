public import LocalAuthCore
public import LocalAuthKeychain
import LocalAuthSecret
public import LocalAuthSync

/// A version of an item that a merge overruled.
public struct SyncConflict: Hashable, Sendable {
  /// What it is called here: the keyed digest of its content.
  public let identifier: SyncDigest
  /// The item's name; nil while the device is locked, which has not the keys to read it.
  public let item: ItemName?
  /// When it was written, by the clock of the device that did.
  public let modified: WallInstant
  /// When it lost, by this device's clock.
  public let since: WallInstant
  /// Whether the item was deleted, so that nothing stands in its place.
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
  /// What lost and is kept, the oldest first.
  ///
  /// - Parameter groups: The access groups of who asks; what is known to be of others is left out.
  /// - Returns: what lost.
  func conflicts(of groups: AccessGroups) -> [SyncConflict] {
    guard let replica = state.zones[.items] else { return [] }
    return replica.shelf.entries.compactMap { entry in
      let item = lost(entry)?.record.item
      if let item, !groups.allows(item.group, writing: false) { return nil }
      return SyncConflict(
        identifier: entry.version.content,
        item: item.map { ItemName(of: $0) },
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
    takingTurn { [self] leave in
      let end: (Result<Void, SyncFailure>) -> Void = { result in
        leave()
        body(result)
      }
      guard let entry = conflict(identifier), let lost = lost(entry),
        groups.allows(lost.record.item.group, writing: true)
      else { return end(.failure(.noSuchConflict)) }
      var change = Change(state: state)
      _ = change.state.zones[.items]?.shelf.take(entry.name, content: identifier)
      change.state.bodies[.lost(.items, entry.name, identifier)] = nil
      guard decision == .discard || restore(lost, as: entry.name, in: &change) else {
        return end(.failure(.notStored))
      }
      commit(change) { [weak self] result in
        guard case .success = result else { return end(.failure(.notStored)) }
        end(.success(()))
        self?.wake()
      }
    }
  }

  private func conflict(_ identifier: SyncDigest) -> ConflictShelf.Entry? {
    state.zones[.items]?.shelf.entries.first { $0.version.content == identifier }
  }

  /// What a version that lost says; nil if no key that is here opens it.
  private func lost(
    _ entry: ConflictShelf.Entry
  ) -> (record: ItemRecord, secret: SecretBox)? {
    guard let body = state.bodies[.lost(.items, entry.name, entry.version.content)] else {
      return nil
    }
    let access = keys.access(to: .items, isUnlocked: vault.isUnlocked)
    for epoch in access.epochs.sorted(by: >) {
      let place = RecordPlace(
        circle: state.circle.circle,
        zone: .items,
        name: entry.name,
        epoch: epoch,
        keyClass: entry.version.keyClass
      )
      guard case .record(let head, let secret)? = keys[.items, epoch]?.open(body, at: place),
        head.version.content == entry.version.content, let record = try? ItemRecord(head)
      else { continue }
      return (record, SecretBox(secret))
    }
    return nil
  }

  /// Makes the item anew as it was in a version that lost; what stands loses in its stead.
  private func restore(
    _ lost: (record: ItemRecord, secret: SecretBox),
    as name: RecordName,
    in change: inout Change
  ) -> Bool {
    let now = now.wall
    let known = occupant(of: lost.record.item, name)
    var item = lost.record.item
    item.modified = now
    item.identifier = known ?? engine.itemIdentifiers.next(at: now, using: &engine.random)
    guard let keys = keys.newest(of: .items), let secret = lost.secret.take(),
      let classKey = device.keybag.record.classKey(of: item.accessControl.protection)
    else { return false }
    if let standing = change.state.zones[.items]?.shown(name) {
      guard let body = sealed(standing, of: name, .items) else { return false }
      change.state.zones[.items]?.shelf.keep(standing, of: name, at: now)
      change.state.bodies[.lost(.items, name, standing.content)] = body
    }
    let edit = SyncEdit(
      item: item.identifier,
      record: (
        name, keys.content(lost.record.content, secret),
        SyncedItem(item.identifier, unknown: lost.record.unknown), lost.record.keyClass
      )
    )
    let data: Secret? = item.hasData ? consume secret : nil
    guard let sealed = device.vault.seal(item, data: data, classKey: classKey, password: nil)
    else { return false }
    change.items.append(known == nil ? .add(sealed) : .replace(sealed))
    follow(edit, keys, at: now, in: &change)
    return true
  }
}
