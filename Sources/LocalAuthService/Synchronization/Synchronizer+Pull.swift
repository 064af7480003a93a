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
  ///   - head: Where the zone ended when it was asked for. Who begins anew with a zone meanwhile gets the page once more.
  ///   - body: Gets whether the round may go on; false after an alarm, which the zone keeps.
  func take(
    _ page: ZonePage,
    of zone: ZoneName,
    after head: ChainPlace,
    then body: @escaping (Bool) -> Void
  ) {
    changing(zone, after: head, page.bodies, by: page.entries, body) {
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
    let access = keys.access(to: zone, isUnlocked: vault.isUnlocked)
    changing(zone, after: nil, [:], next) { (zones, opener, _, now, _) throws(HubAlarm) in
      try zones[zone]?.openInbox(opener, at: now)
      zones[zone]?.askAgain(access)
    }
  }

  typealias ZonesChange = (
    inout SyncedZones, BodyOpener, CircleLog, WallInstant, SyncPorts
  ) throws(HubAlarm) -> Void

  /// Changes a zone while nothing else changes items, and commits what follows.
  func changing(
    _ zone: ZoneName,
    after head: ChainPlace?,
    _ came: ZoneBodies,
    by entries: [ZoneEntry] = [],
    _ body: @escaping (Bool) -> Void,
    _ event: @escaping ZonesChange
  ) {
    takingTurn { [self] leave in
      if let head, state.zones[zone]?.chain.head != head {
        leave()
        return body(true)
      }
      var change = Change(state: state)
      let opener = BodyOpener(
        zone,
        of: state.circle.circle,
        Set(state.circle.peers.keys),
        keys,
        ports.hash
      ) { [state] name in
        came[name] ?? state.bodies[.waiting(zone, name)]
      }
      if let hubTime { change.state.hear(hubTime, from: .hub) }
      var isTrusted = true
      do throws(HubAlarm) {
        try event(&change.state.zones, opener, state.circle, now.wall, ports)
      } catch { isTrusted = false }
      foreseeSecrets(of: zone, entries, in: &change)
      noteWriters(of: entries, change.state)
      // After an alarm about another zone this one was merged all the same.
      guard follow(zone, opener, came, in: &change) else {
        leave()
        return body(false)
      }
      conclude(change, of: zone, leave) { body($0 && isTrusted) }
    }
  }

  /// Notes when those who signed these entries wrote what is in them.
  private func noteWriters(of entries: [ZoneEntry], _ state: State) {
    for entry in entries {
      let records = state.zones[entry.zone]?.records
      let times = entry.changes.compactMap { change -> WallInstant? in
        guard let version = records?[change.name]?.current, version.made.peer == entry.author,
          state.book.mayHaveWritten(entry.author, at: version.modified)
        else { return nil }
        return version.modified
      }
      lastWritten[entry.author] = times.reduce(lastWritten[entry.author]) { max($0 ?? $1, $1) }
    }
  }

  /// Makes what the hub's answer changed in a zone durable, and gives the turn back.
  func conclude(
    _ change: Change,
    of zone: ZoneName,
    _ leave: @escaping () -> Void,
    then body: @escaping (_ isDurable: Bool) -> Void
  ) {
    var change = change
    forgetSent(zone, in: &change)
    settleSecrets(of: zone, in: &change)
    commit(change) { result in
      leave()
      if case .success = result { body(true) } else { body(false) }
    }
  }

  // MARK: What follows

  /// Makes the items that a zone shows now, and keeps the bodies that are needed later.
  ///
  /// - Returns: false if the device cannot seal one of the items: then nothing of the change may stay.
  private func follow(
    _ zone: ZoneName,
    _ opener: BodyOpener,
    _ came: ZoneBodies,
    in change: inout Change
  ) -> Bool {
    guard let old = state.zones[zone], let new = change.state.zones[zone] else { return true }
    // Of documents the loser becomes a version in conflict, and of rows what both wrote is kept.
    if zone != .documents, zone != .tables {
      keepLosers(zone, from: old, to: new, came, in: &change)
    }
    var changed: [RecordName] = []
    for name in Self.touched(from: old, to: new, by: came) {
      keepBody(of: name, zone, new, came, in: &change)
      if old.records[name]?.current != new.records[name]?.current { changed.append(name) }
    }
    switch zone {
    case .items:
      // What goes first, because it may come back under another name.
      for name in changed where new.shown(name) == nil { hide(name, in: &change) }
      return changed.allSatisfy { show($0, of: new, opener, in: &change) }
    case .keyValues: return showValues(changed, of: new, opener, in: &change)
    case .documents: return showDocuments(changed, from: old, to: new, opener, in: &change)
    case .tables:
      guard showTables(changed, from: old, opener, in: &change) else { return false }
      if let settled = change.state.zones[zone] {
        keepLosers(zone, from: old, to: settled, came, in: &change)
      }
      return true
    default: return true
    }
  }

  /// The records that an event may have changed.
  private static func touched(
    from old: ZoneReplica,
    to new: ZoneReplica,
    by came: ZoneBodies
  ) -> [RecordName] {
    new.records.changedKeys(from: old.records).union(old.inbox.waiting.keys)
      .union(new.inbox.waiting.keys).union(came.keys).sorted()
  }

  /// Keeps the body of a record that waits, and forgets that of one that does not.
  ///
  /// It is to be opened, or is for the end of the first download. That needs the body that the manifest names, and a version
  /// that was sealed anew comes in another one. What nobody can read is not kept, and what is not what was signed neither.
  private func keepBody(
    of name: RecordName,
    _ zone: ZoneName,
    _ new: ZoneReplica,
    _ came: ZoneBodies,
    in change: inout Change
  ) {
    let kept = KeptBody.waiting(zone, name)
    let isEarly = zone == .keyValues && !state.hasValues && new.shown(name) != nil
    let reason = new.inbox.waiting[name]
    if reason == .unreadable || reason == .lost || reason == nil && !isEarly {
      if change.state.bodies[kept] != nil { change.state.bodies[kept] = nil }
    } else if let bytes = came[name] {
      guard reason == nil || change.state.bodies.hasRoom(for: bytes, as: kept) else {
        change.state.bodies[kept] = nil
        change.state.zones[zone]?.letGo(name)
        return
      }
      change.state.bodies[kept] = bytes
    }
  }

  /// Keeps the sealed contents of what merges overruled, for a person to look at.
  private func keepLosers(
    _ zone: ZoneName,
    from old: ZoneReplica,
    to new: ZoneReplica,
    _ came: ZoneBodies,
    in change: inout Change
  ) {
    guard old.shelf != new.shelf else { return }
    let known = Set(old.shelf.entries)
    let stores = StoreReader(engine, device)
    for entry in new.shelf.entries where !known.contains(entry) {
      let kept = KeptBody.lost(zone, entry.name, entry.version.content)
      guard change.state.bodies[kept] == nil else { continue }
      // What lost is either what was here or what came.
      if let own = sealed(entry.version, of: entry.name, zone, from: stores) {
        change.state.bodies[kept] = own
      } else if let bytes = came[entry.name] ?? state.bodies[.waiting(zone, entry.name)] {
        change.state.bodies[kept] = bytes
      }
    }
    let left = Set(new.shelf.entries)
    for entry in old.shelf.entries where !left.contains(entry) {
      change.state.bodies[.lost(zone, entry.name, entry.version.content)] = nil
    }
    change.state.dropOldestLosers(in: zone)
  }

  // MARK: Items

  /// Brings the item of a record to what the record says; false if it cannot be sealed.
  private func show(
    _ name: RecordName,
    of new: ZoneReplica,
    _ opener: BodyOpener,
    in change: inout Change
  ) -> Bool {
    // A local version that stands has its item already, and what was deleted has none.
    guard let version = new.shown(name), let content = opener.contents[name],
      content.version.content == version.content, case .item(let record) = content.meaning
    else { return true }
    let known = occupant(of: record.item, name)
    var item = record.item
    item.identifier =
      known ?? engine.itemIdentifiers.next(at: now.wall, using: &engine.random)
    guard let secret = content.secret.copied()?.take(),
      let classKey = device.keybag.record.classKey(of: item.accessControl.protection)
    else { return false }
    noteSecret(of: name, mark(item, secret), in: &change)
    let data: Secret? = item.hasData ? consume secret : nil
    guard let sealed = device.vault.seal(item, data: data, classKey: classKey, password: nil)
    else { return false }
    change.items.append(known == nil ? .add(sealed) : .replace(sealed))
    change.state.put(SyncedItem(item.identifier, unknown: record.unknown), as: name)
    return true
  }

  private func hide(_ name: RecordName, in change: inout Change) {
    guard let item = state.items[name] else { return }
    noteDeletion(of: name, in: &change)
    change.items.append(.remove(device.identity, item.identifier))
    change.state.put(nil, as: name)
  }

  /// The item that a record replaces here: its own, or one of the same primary key that no record has yet.
  func occupant(of item: Item, _ name: RecordName) -> ItemIdentifier? {
    if let own = state.items[name] { return own.identifier }
    let key = device.vault.hash(of: PrimaryKey(of: item))
    return try? engine.items.withItem(item.itemClass, key, of: device.identity) {
      $0.header.identifier
    }
  }
}
