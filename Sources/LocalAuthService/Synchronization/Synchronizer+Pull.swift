import LocalAuthCore
import LocalAuthKeychain
import LocalAuthSecret
import LocalAuthSync

/// Taking what the hub has, and making items of it.
extension Synchronizer {
  /// Takes a page of a zone: verified and merged as a whole, and in one commit with the items that change.
  ///
  /// - Parameters:
  ///   - page: The page.
  ///   - zone: The zone.
  ///   - body: Gets whether the round may go on; false after an alarm, which the zone keeps.
  func take(_ page: ZonePage, of zone: ZoneName, then body: @escaping (Bool) -> Void) {
    changing(zone, { page.bodies[$0] }, body) {
      (zones, opener, circle, now, ports) throws(HubAlarm) in
      try zones.pull(zone, page.answer(ports.hash), in: circle, opener, at: now, ports)
    }
  }

  /// Opens what waited for keys or for an unlock, zone by zone.
  func openWaiting(then body: @escaping () -> Void) {
    openWaiting(state.zones.replicas.filter { !$0.value.inbox.isEmpty }.keys.sorted()[...], body)
  }

  private func openWaiting(_ zones: ArraySlice<ZoneName>, _ body: @escaping () -> Void) {
    guard let zone = zones.first else { return body() }
    let next: (Bool) -> Void = { [weak self] _ in self?.openWaiting(zones.dropFirst(), body) }
    changing(zone, { _ in nil }, next) { (zones, opener, _, now, _) throws(HubAlarm) in
      try zones[zone]?.openInbox(opener, at: now)
    }
  }

  private typealias ZonesChange = (
    inout SyncedZones, BodyOpener, CircleLog, WallInstant, SyncPorts
  ) throws(HubAlarm) -> Void

  /// Changes a zone while nothing else changes items, and commits what follows.
  private func changing(
    _ zone: ZoneName,
    _ came: @escaping (RecordName) -> [UInt8]?,
    _ body: @escaping (Bool) -> Void,
    _ event: @escaping ZonesChange
  ) {
    takingTurn { [self] leave in
      var change = Change(state: state)
      let opener = BodyOpener(zone, of: state.circle.circle, keys, ports.hash) { [state] name in
        came(name) ?? state.bodies[.waiting(zone, name)]
      }
      if let hubTime { change.state.hear(hubTime, from: .hub) }
      var isTrusted = true
      do throws(HubAlarm) {
        try event(&change.state.zones, opener, state.circle, now.wall, ports)
        try follow(zone, opener, came, in: &change)
      } catch { isTrusted = false }
      forgetSent(zone, in: &change)
      commit(change) { result in
        leave()
        if case .failure = result { return body(false) }
        body(isTrusted)
      }
    }
  }

  // MARK: What follows

  /// Makes the items that a zone shows now, and keeps the bodies that are needed later.
  private func follow(
    _ zone: ZoneName,
    _ opener: BodyOpener,
    _ came: (RecordName) -> [UInt8]?,
    in change: inout Change
  ) throws(HubAlarm) {
    guard let old = state.zones[zone], let new = change.state.zones[zone] else { return }
    keepLosers(zone, from: old, to: new, came, in: &change)
    for name in Self.touched(from: old, to: new) {
      keepBody(of: name, zone, new, came, in: &change)
      guard zone == .items, old.records[name]?.current != new.records[name]?.current else {
        continue
      }
      try show(name, of: new, opener, in: &change)
    }
  }

  /// The records that an event may have changed.
  private static func touched(from old: ZoneReplica, to new: ZoneReplica) -> [RecordName] {
    var names = Set(old.inbox.waiting.keys).union(new.inbox.waiting.keys)
    for (name, record) in new.records where old.records[name] != record { names.insert(name) }
    for name in old.records.keys where new.records[name] == nil { names.insert(name) }
    return names.sorted()
  }

  /// Keeps the body of a record that waits, and forgets that of one that does not.
  private func keepBody(
    of name: RecordName,
    _ zone: ZoneName,
    _ new: ZoneReplica,
    _ came: (RecordName) -> [UInt8]?,
    in change: inout Change
  ) {
    let kept = KeptBody.waiting(zone, name)
    if new.inbox.waiting[name] == nil {
      if change.state.bodies[kept] != nil { change.state.bodies[kept] = nil }
    } else if let bytes = came(name) {
      change.state.bodies[kept] = bytes
    }
  }

  /// Keeps the sealed contents of what merges overruled, for a person to look at.
  private func keepLosers(
    _ zone: ZoneName,
    from old: ZoneReplica,
    to new: ZoneReplica,
    _ came: (RecordName) -> [UInt8]?,
    in change: inout Change
  ) {
    guard old.shelf != new.shelf else { return }
    let known = Set(old.shelf.entries)
    for entry in new.shelf.entries where !known.contains(entry) {
      let kept = KeptBody.lost(zone, entry.name, entry.version.content)
      // What lost is either what was here or what came.
      if let own = sealed(entry.version, of: entry.name, zone) {
        change.state.bodies[kept] = own
      } else if let bytes = came(entry.name) ?? state.bodies[.waiting(zone, entry.name)] {
        change.state.bodies[kept] = bytes
      }
    }
    let left = Set(new.shelf.entries)
    for entry in old.shelf.entries where !left.contains(entry) {
      change.state.bodies[.lost(zone, entry.name, entry.version.content)] = nil
    }
  }

  // MARK: Items

  /// Brings the item of a record to what the record says.
  private func show(
    _ name: RecordName,
    of new: ZoneReplica,
    _ opener: BodyOpener,
    in change: inout Change
  ) throws(HubAlarm) {
    guard let version = new.shown(name) else { return hide(name, in: &change) }
    // A local version that stands has its item already.
    guard let content = opener.contents[name], content.head.version.content == version.content
    else { return }
    guard let record = try? ItemRecord(content.head), let secret = content.secret.copied(),
      keys.newest(of: .items)?.name(kind: record.kind, key: record.key) == name
    else { throw .hubTampered(.content) }
    let holder = occupant(of: record.item, name)
    let identifier =
      holder?.identifier ?? engine.itemIdentifiers.next(at: now.wall, using: &engine.random)
    var item = record.item
    item.identifier = identifier
    let data: Secret? = item.hasData ? secret.take() : nil
    guard let classKey = device.keybag.record.classKey(of: item.accessControl.protection),
      let sealed = device.vault.seal(item, data: data, classKey: classKey, password: nil)
    else { throw .hubTampered(.content) }
    change.items.append(holder == nil ? .add(sealed) : .replace(sealed))
    change.state.put(
      SyncedItem(identifier, unknown: record.unknown),
      as: name
    )
  }

  private func hide(_ name: RecordName, in change: inout Change) {
    guard let item = state.items[name] else { return }
    change.items.append(.remove(device.identity, item.identifier))
    change.state.put(nil, as: name)
  }

  /// The item that a record replaces here: its own, or one of the same primary key that no record has yet.
  private func occupant(
    of item: Item,
    _ name: RecordName
  ) -> (identifier: ItemIdentifier, isOwn: Bool)? {
    if let own = state.items[name] { return (own.identifier, true) }
    let key = device.vault.hash(of: PrimaryKey(of: item))
    let found = try? engine.items.withItem(item.itemClass, key, of: device.identity) {
      $0.header.identifier
    }
    return found.map { ($0, false) }
  }
}
