import LocalAuthCore
import LocalAuthKeychain
import LocalAuthSecret
import LocalAuthSync

/// What one call does to items that are meant for the person's other devices.
struct SyncEdit {
  /// The item, as it will be.
  let item: ItemIdentifier
  /// Its record; nil for an item that stays here.
  let record: (name: RecordName, content: SyncDigest, item: SyncedItem, keyClass: ZoneKeyClass)?
  /// Its secret, if removed devices may know that; nil otherwise.
  var mark: SecretMark?
}

/// Following what people do to items on this device.
extension Synchronizer {
  /// Whether an item has a record, or may get one.
  func isAbout(_ item: Item) -> Bool {
    item.isSynchronizable || state.names[item.identifier] != nil
  }

  /// What the record of an item would say; nil if the device has no keys for that yet, which ``reconcile(then:)`` makes
  /// up for.
  func edit(_ item: Item, _ data: borrowing Secret?) -> SyncEdit? {
    guard let keys = keys.newest(of: .items) else { return nil }
    guard let bare = try? ItemRecord(item) else {
      return SyncEdit(item: item.identifier, record: nil)
    }
    let name = keys.name(kind: bare.kind, key: bare.key)
    let unknown = state.items[name]?.unknown ?? [:]
    guard let record = unknown.isEmpty ? bare : try? ItemRecord(item, keeping: unknown) else {
      return SyncEdit(item: item.identifier, record: nil)
    }
    let content: SyncDigest
    let mark: SecretMark?
    switch data {
    case .some(let data):
      (content, mark) = (keys.content(record.content, data), self.mark(item, data))
    case .none:
      let data = Secret(capacity: 0)
      (content, mark) = (keys.content(record.content, data), self.mark(item, data))
    }
    let own = SyncedItem(item.identifier, unknown: unknown)
    return SyncEdit(
      item: item.identifier,
      record: (name, content, own, record.keyClass),
      mark: mark
    )
  }

  /// What the zone becomes by edits and removals of one commit; nil if nothing of it is synchronized.
  func following(_ edits: [SyncEdit], removing removed: [ItemIdentifier]) -> Change? {
    guard let keys = keys.newest(of: .items), state.zones[.items] != nil else { return nil }
    var change = Change(state: state)
    let now = now.wall
    for identifier in removed { bury(identifier, keys, at: now, in: &change) }
    for edit in edits { follow(edit, keys, at: now, in: &change) }
    return change.state.items.changed.isEmpty ? nil : change
  }

  /// The record of an item becomes what an edit says.
  func follow(
    _ edit: SyncEdit,
    _ keys: any ZoneKeys,
    at now: WallInstant,
    in change: inout Change
  ) {
    if change.state.names[edit.item] != edit.record?.name {
      bury(edit.item, keys, at: now, in: &change)
    }
    guard let (name, content, own, keyClass) = edit.record,
      change.state.zones[.items]?.shown(name)?.content != content
        || change.state.items[name] != own
    else { return }
    let known = change.state.zones[.items]?.records[name]?.current.identifier
    if change.state.zones[.items]?.shown(name)?.content != content {
      noteSecret(of: name, edit.mark, in: &change)
      change.state.zones[.items]?.put(
        name,
        known ?? edit.item,
        content: content,
        keyClass,
        at: now
      )
    }
    change.state.put(own, as: name)
  }

  /// The item's record is deleted everywhere.
  private func bury(
    _ item: ItemIdentifier,
    _ keys: any ZoneKeys,
    at now: WallInstant,
    in change: inout Change
  ) {
    guard let name = change.state.names[item] else { return }
    noteDeletion(of: name, in: &change)
    let content = keys.content(ItemRecord.tombstoneContent, Secret(capacity: 0))
    change.state.zones[.items]?.delete(name, content: content, at: now)
    change.state.put(nil, as: name)
  }

  // MARK: Everything at once

  /// Compares all synchronizable items that can be opened with their records: when keys come, after an unlock, and after
  /// a restore.
  ///
  /// What was changed while nobody could follow is followed now.
  func reconcile(then body: @escaping () -> Void) {
    guard keys.newest(of: .items) != nil, state.zones[.items] != nil else { return body() }
    takingTurn { [self] leave in
      reconcile(ItemClass.stored[...], after: nil, Change(state: state)) {
        leave()
        body()
      }
    }
  }

  /// The items that are looked at before other calls have their turn on the thread.
  private static let itemsAtOnce = 128

  private func reconcile(
    _ classes: ArraySlice<ItemClass>,
    after cursor: ItemIdentifier?,
    _ change: Change,
    then body: @escaping () -> Void
  ) {
    guard let itemClass = classes.first, let keys = keys.newest(of: .items) else {
      return buryLost(change, then: body)
    }
    var change = change
    let page = try? engine.items.eachItem(
      itemClass,
      of: device.identity,
      after: cursor,
      limit: Self.itemsAtOnce
    ) { [self] stored in
      let header = stored.header
      guard header.isSynchronizable, !header.isTombstone,
        let item = device.vault.item(stored), item.accessControl.isTrivial,
        let opened = device.vault.data(of: stored)
      else { return true }
      let data: Secret? = opened
      guard let edit = edit(item, data) else { return true }
      // It may be long ago, as on a device that joins: the circle may have a later one.
      follow(edit, keys, at: item.modified, in: &change)
      return true
    }
    let (next, rest) = (page?.next, page?.next == nil ? classes.dropFirst() : classes)
    let changed = change
    _ = engine.clock.schedule(at: engine.clock.now().boot) { [self] in
      guard !hasEnded else { return body() }
      reconcile(rest, after: next, changed, then: body)
    }
  }

  /// Deletes the records whose items are gone, and makes all of it durable.
  private func buryLost(_ change: Change, then body: @escaping () -> Void) {
    guard let keys = keys.newest(of: .items) else { return body() }
    var change = change
    let now = now.wall
    for (identifier, _) in change.state.names {
      let isThere: Bool
      do throws(StorageError) {
        isThere =
          try engine.items.withItem(identifier, of: device.identity) {
            $0.header.isSynchronizable && !$0.header.isTombstone
          } ?? false
      } catch {
        // A failure to read says nothing.
        continue
      }
      if !isThere { bury(identifier, keys, at: now, in: &change) }
    }
    guard !change.state.items.changed.isEmpty else { return body() }
    commit(change) { [weak self] result in
      if case .success = result { self?.wake() }
      body()
    }
  }
}
