import LocalAuthCore
import LocalAuthKeychain
import LocalAuthSecret
import LocalAuthSync

/// Key-value stores between devices: each value is a record of one zone.
///
/// A store's own rules are in ``KeyValueZone``. What a program writes is marked there as outgoing, and becomes a change of
/// the replica in the same commit; what the hub brings becomes a change of the store in the commit of its page.
extension Synchronizer {
  /// A program changed a store, which may have been damaged before.
  func valuesChanged() {
    usesValues = true
    hasDamagedStore = false
    changed()
  }

  // MARK: What programs write

  /// What the zone becomes by a change of a store, of which nothing is outgoing then.
  ///
  /// - Parameters:
  ///   - store: The store.
  ///   - values: What it is now.
  ///   - isLost: Whether what it was before cannot be read, so that all values are fetched once more.
  /// - Returns: nil before the first download has ended, and without the zone's keys, when what is outgoing stays so.
  func following(_ store: String, _ values: inout StoredKeyValues, isLost: Bool) -> Change? {
    guard state.hasValues else { return nil }
    guard let keys = keys.newest(of: .keyValues) else {
      owesValues = true
      return nil
    }
    var change = Change(state: state)
    guard !isLost else {
      fetchOnceMore(in: &change)
      values.zone.signedOut()
      return change
    }
    let circle = state.circle.circle
    if values.zone.phase != .ready { values.begin(circle) }
    send(values.zone.takeOutgoing(), of: store, keys, at: now.wall, in: &change)
    return change
  }

  /// Has sent what programs wrote while the zone had no keys.
  func sendValues(then body: @escaping () -> Void) {
    guard owesValues, state.hasValues, keys.newest(of: .keyValues) != nil else { return body() }
    inTurn { this, change in
      guard let keys = this.keys.newest(of: .keyValues), let stores = this.stores else {
        return false
      }
      for store in stores {
        var outgoing: [KeyValueKey: KeyValueZone.Value?] = [:]
        _ = this.bring(store, in: &change) { [circle = this.state.circle.circle] stored in
          if stored.zone.phase != .ready { stored.begin(circle) }
          outgoing = stored.zone.takeOutgoing()
          return KeyValueZone.Downloaded()
        }
        this.send(outgoing, of: store, keys, at: this.now.wall, in: &change)
      }
      return !change.items.isEmpty
    } then: { [weak self] result in
      if case .success = result { self?.owesValues = false }
      body()
    }
  }

  /// The values of all stores are fetched once more, and merged as in the first download.
  private func fetchOnceMore(in change: inout Change) {
    change.state.zones[.keyValues]?.beginAnew()
    change.state.hasValues = false
    for (name, _) in state.values.entries { change.state.values[name] = nil }
    forgetBodies(in: .keyValues, &change)
  }

  /// Has these values of a store sent, nil for one that was removed.
  func send(
    _ outgoing: [KeyValueKey: KeyValueZone.Value?],
    of store: String,
    _ keys: any ZoneKeys,
    at time: WallInstant,
    in change: inout Change
  ) {
    guard var replica = change.state.zones[.keyValues] else { return }
    let tombstone = keys.content(ItemRecord.tombstoneContent, Secret(capacity: 0))
    for (key, value) in outgoing.sorted(by: { $0.key < $1.key }) {
      guard let bare = ValueRecord(store: store, key: key) else { continue }
      let name = keys.name(kind: ValueRecord.kind, key: bare.nameKey)
      guard let value else {
        replica.delete(name, content: tombstone, at: time)
        change.state.values[name] = nil
        continue
      }
      let record = change.state.values[name] ?? bare
      let content = keys.content(record.content, Secret(copying: value.content))
      guard replica.shown(name)?.content != content else { continue }
      replica.put(name, ValueRecord.identifier, content: content, .afterFirstUnlock, at: time)
      if change.state.values[name] != record { change.state.values[name] = record }
    }
    change.state.zones[.keyValues] = replica
  }

  // MARK: What the hub brings

  /// Brings the stores to what these records say; false if a store cannot be read or sealed.
  ///
  /// Before the first download has ended there is nothing to bring: the bodies are kept.
  func showValues(
    _ names: [RecordName],
    of new: ZoneReplica,
    _ opener: BodyOpener,
    in change: inout Change
  ) -> Bool {
    guard state.hasValues else { return true }
    var changes: [String: [KeyValueKey: KeyValueZone.Value?]] = [:]
    for name in names {
      guard let version = new.shown(name) else {
        if let record = state.values[name] {
          changes[record.store, default: [:]].updateValue(nil, forKey: record.key)
          change.state.values[name] = nil
        }
        continue
      }
      // A local version that stands is in its store already.
      guard let content = opener.contents[name], content.version.content == version.content,
        case .value(let record) = content.meaning, let value = content.value
      else { continue }
      changes[record.store, default: [:]].updateValue(value, forKey: record.key)
      change.state.values[name] = record
    }
    for (store, values) in changes {
      let isKept = bring(store, in: &change) { [circle = state.circle.circle] stored in
        if stored.zone.phase != .ready { stored.begin(circle) }
        return stored.zone.changed(values)
      }
      guard isKept else { return false }
    }
    return true
  }

  /// Changes a store by what the hub brought, and tells programs; false if it cannot be read or sealed.
  func bring(
    _ store: String,
    in change: inout Change,
    by step: (inout StoredKeyValues) -> KeyValueZone.Downloaded
  ) -> Bool {
    let place = KeyValuePlace(device: device, store: store)
    guard let before = try? engine.read(place) else {
      hasDamagedStore = true
      return false
    }
    var after = before.values
    let downloaded = step(&after)
    guard after != before.values else { return true }
    after.revision += 1
    guard let changes = try? engine.replacing(before, by: after, place) else { return false }
    change.items += changes
    for notice in downloaded.notices {
      change.told.append((store, KeyValueReport(notice, of: after)))
    }
    return true
  }
}
