import LocalAuthCore
import LocalAuthKeychain
import LocalAuthSecret
import LocalAuthSync

/// The first download of key-value stores, which is kept aside until all of it is here.
extension Synchronizer {
  /// Ends the first download, once everything that the hub has was fetched and opened: where it has a key it wins, and
  /// what only this device has is sent.
  ///
  /// It asks the hub for more right before, as another device may have written since the round began. Where the circle
  /// has no values, and no program here, there was nothing to download.
  func beginValues(_ round: SyncRound, then body: @escaping () -> Void) {
    guard !state.hasValues else { return sendValues(then: body) }
    guard state.zones[.keyValues] != nil else {
      return stores?.isEmpty == true ? endDownload(\.hasValues, then: body) : body()
    }
    guard keys.newest(of: .keyValues) != nil else { return body() }
    round.pull(.keyValues) { [weak self] in
      self?.takingTurn { leave in
        let change = self?.downloaded()
        guard let change else {
          leave()
          return body()
        }
        self?.commit(change) { _ in
          leave()
          body()
        }
      }
    }
  }

  /// Ends a first download for which there is nothing: neither the circle nor a program here has anything of its kind.
  func endDownload(_ hasEnded: WritableKeyPath<State, Bool>, then body: @escaping () -> Void) {
    guard !state[keyPath: hasEnded] else { return body() }
    inTurn { _, change in
      change.state[keyPath: hasEnded] = true
      return true
    } then: { _ in
      body()
    }
  }

  /// The end of the first download; nil if something of it is not here yet, or a store is damaged.
  private func downloaded() -> Change? {
    guard !state.hasValues, let keys = keys.newest(of: .keyValues),
      let hub = fetched, let stores
    else { return nil }
    var change = Change(state: state)
    var values: [String: [KeyValueKey: KeyValueZone.Value]] = [:]
    for (name, content) in hub {
      guard case .value(let record) = content.meaning, let value = content.value else { return nil }
      values[record.store, default: [:]][record.key] = value
      change.state.values[name] = record
      change.state.bodies[.waiting(.keyValues, name)] = nil
    }
    // Before what only this device has: that is sent over what nobody can read, and over what the hub lost.
    change.state.zones[.keyValues]?.forgetUnopened()
    for store in stores.union(values.keys) {
      guard begin(store, values[store] ?? [:], keys, in: &change) else { return nil }
    }
    change.state.hasValues = true
    return change
  }

  /// What the zone shows; nil if something of it is not here or not opened yet.
  private var fetched: [RecordName: BodyOpener.Content]? {
    // What others say is there and the hub has not shown yet has to come first.
    guard let replica = state.zones[.keyValues], !replica.isReadOnly(in: state.circle),
      replica.inbox.isSettled, replica.chain.claimedNumber == 0
    else { return nil }
    let opener = BodyOpener(
      .keyValues,
      of: state.circle.circle,
      Set(state.circle.peers.keys),
      keys,
      ports.hash
    ) { [state] in
      state.bodies[.waiting(.keyValues, $0)]
    }
    var contents: [RecordName: BodyOpener.Content] = [:]
    for (name, record) in replica.records
    where !record.current.isTombstone && replica.inbox.waiting[name] == nil {
      guard let line = replica.chain.manifest.lines[name],
        case .version = opener.open(name, line), let content = opener.contents[name]
      else { return nil }
      contents[name] = content
    }
    return contents
  }

  /// Begins one store with what the hub has of it.
  private func begin(
    _ store: String,
    _ hub: [KeyValueKey: KeyValueZone.Value],
    _ keys: any ZoneKeys,
    in change: inout Change
  ) -> Bool {
    var discarded: [KeyValueKey: KeyValueZone.Value?] = [:]
    var outgoing: [KeyValueKey: KeyValueZone.Value?] = [:]
    // Whoever founds a circle brings its own values into it.
    let isKept = bring(store, in: &change) { [isFounder, circle = state.circle.circle] values in
      let isOwn = isFounder || values.circle == .none || values.circle == circle
      let downloaded = isOwn ? values.begin(circle, hub) : values.change(to: circle, hub)
      discarded = downloaded.discarded
      outgoing = values.zone.takeOutgoing()
      return downloaded
    }
    guard isKept else { return false }
    send(outgoing, of: store, keys, at: ValueRecord.timeBeforeDownload, in: &change)
    for case (let key, let value?) in discarded.sorted(by: { $0.key < $1.key }) {
      discard(value, of: store, key, keys, in: &change)
    }
    return true
  }

  /// Keeps a value that the hub overruled, for a person to look at.
  private func discard(
    _ value: KeyValueZone.Value,
    of store: String,
    _ key: KeyValueKey,
    _ zoneKeys: any ZoneKeys,
    in change: inout Change
  ) {
    guard let record = ValueRecord(store: store, key: key) else { return }
    let name = zoneKeys.name(kind: ValueRecord.kind, key: record.nameKey)
    keepDiscarded(
      record.fields,
      Secret(copying: value.content),
      name,
      .keyValues,
      zoneKeys,
      in: &change
    )
  }

  /// Keeps what a program wrote before it could be a version, because the hub overruled it.
  func keepDiscarded(
    _ fields: [UInt32: [UInt8]],
    _ secret: borrowing Secret,
    _ name: RecordName,
    _ zone: ZoneName,
    _ zoneKeys: any ZoneKeys,
    in change: inout Change
  ) {
    let version = change.state.zones[zone]?.discard(
      name,
      content: zoneKeys.content(RecordHead.content(of: fields), secret),
      .afterFirstUnlock,
      written: ValueRecord.timeBeforeDownload,
      at: now.wall
    )
    let place = RecordPlace(
      circle: state.circle.circle,
      zone: zone,
      name: name,
      epoch: zoneKeys.epoch,
      keyClass: .afterFirstUnlock
    )
    guard let version,
      let body = zoneKeys.seal(RecordHead(version, fields: fields), secret, at: place)
    else { return }
    change.state.bodies[.lost(zone, name, version.content)] = body
    change.state.dropOldestLosers(in: zone)
  }
}

extension StoredKeyValues {
  /// Begins with what the hub of a circle has, which wins over what is here.
  @discardableResult
  mutating func begin(
    _ circle: SyncDigest,
    _ hub: [KeyValueKey: KeyValueZone.Value] = [:]
  ) -> KeyValueZone.Downloaded {
    self.circle = circle
    zone.signedOut()
    zone.signedIn()
    return zone.downloaded(hub)
  }

  /// Has the values of another circle than before, and of nothing else.
  fileprivate mutating func change(
    to circle: SyncDigest,
    _ hub: [KeyValueKey: KeyValueZone.Value]
  ) -> KeyValueZone.Downloaded {
    self.circle = circle
    return zone.changedAccount(to: hub)
  }
}
