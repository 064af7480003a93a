import LocalAuthCore
import LocalAuthKeychain
import LocalAuthPropertyList
import LocalAuthSecret
import LocalAuthSync

/// Key-value stores between devices: each value is a record of one zone.
///
/// A store's own rules are in ``KeyValueZone``. What a program writes is marked there as outgoing, and becomes a change of
/// the replica in the same commit; what the hub brings becomes a change of the store in the commit of its page.
extension Synchronizer {
  private typealias Value = KeyValueZone.Value

  /// The least time between two rounds that changes of stores begin.
  private static let valuesInterval = Duration.seconds(1)

  /// A program changed a store: the others are told, at most once a second.
  func valuesChanged() {
    usesValues = true
    guard valuesTimer == nil else { return }
    let now = now.boot
    let due = lastValues.map { max(now, $0 + Self.valuesInterval) } ?? now
    valuesTimer = engine.clock.schedule(at: due) { [weak self] in
      self?.valuesTimer = nil
      self?.lastValues = due
      self?.wake()
    }
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
    guard state.hasValues else {
      values.zone.signedOut()
      return nil
    }
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
    if values.zone.phase != .ready || values.circle != circle { values.begin(circle, [:]) }
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
          if stored.zone.phase != .ready { stored.begin(circle, [:]) }
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
    change.state.zones[.keyValues]?.beginAnew(in: state.circle.circle)
    change.state.hasValues = false
    for (name, _) in state.values.entries { change.state.values[name] = nil }
    for kept in state.bodies.entries.keys where kept.isOnItsWay(in: .keyValues) {
      change.state.bodies[kept] = nil
    }
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
    var changes: [String: [KeyValueKey: Value?]] = [:]
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
        if stored.zone.phase != .ready { stored.begin(circle, [:]) }
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
    guard let before = try? engine.read(place) else { return false }
    var after = before.values
    let downloaded = step(&after)
    guard after != before.values else { return true }
    after.revision += 1
    guard let changes = try? engine.replacing(before, by: after, place) else { return false }
    change.items += changes
    for notice in downloaded.notices {
      change.told.append((store, KeyValueReport(revision: after.revision, notice: notice)))
    }
    return true
  }

  // MARK: The first download

  /// Ends the first download, once everything that the hub has was fetched and opened: where it has a key it wins, and
  /// what only this device has is sent.
  ///
  /// It asks the hub for more right before, as another device may have written since the round began. Where the circle
  /// has no values, and no program here, there was nothing to download.
  func beginValues(_ round: SyncRound, then body: @escaping () -> Void) {
    guard !state.hasValues else { return sendValues(then: body) }
    guard state.zones[.keyValues] != nil else {
      guard !usesValues else { return body() }
      return inTurn { _, change in
        change.state.hasValues = true
        return true
      } then: { _ in
        body()
      }
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

  /// The end of the first download; nil if something of it is not here yet, or a store is damaged.
  private func downloaded() -> Change? {
    guard !state.hasValues, let keys = keys.newest(of: .keyValues),
      let hub = fetched, let stores
    else { return nil }
    var change = Change(state: state)
    var values: [String: [KeyValueKey: Value]] = [:]
    for (name, content) in hub {
      guard case .value(let record) = content.meaning, let value = content.value else { return nil }
      values[record.store, default: [:]][record.key] = value
      change.state.values[name] = record
      change.state.bodies[.waiting(.keyValues, name)] = nil
    }
    for store in stores.union(values.keys) {
      guard begin(store, values[store] ?? [:], keys, in: &change) else { return nil }
    }
    change.state.hasValues = true
    return change
  }

  /// What the zone shows; nil if something of it is not here or not opened yet.
  private var fetched: [RecordName: BodyOpener.Content]? {
    guard let replica = state.zones[.keyValues], replica.alarm == nil, replica.inbox.isEmpty else {
      return nil
    }
    let opener = BodyOpener(.keyValues, of: state.circle.circle, keys, ports.hash) { [state] in
      state.bodies[.waiting(.keyValues, $0)]
    }
    var contents: [RecordName: BodyOpener.Content] = [:]
    for (name, record) in replica.records where !record.current.isTombstone {
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
    let isKept = bring(store, in: &change) { [circle = state.circle.circle] values in
      let downloaded = values.begin(circle, hub)
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
    _ keys: any ZoneKeys,
    in change: inout Change
  ) {
    guard let record = ValueRecord(store: store, key: key) else { return }
    let name = keys.name(kind: ValueRecord.kind, key: record.nameKey)
    let secret = Secret(copying: value.content)
    let version = change.state.zones[.keyValues]?.discard(
      name,
      content: keys.content(record.content, secret),
      .afterFirstUnlock,
      written: now.wall,
      at: now.wall
    )
    let place = RecordPlace(
      circle: state.circle.circle,
      zone: .keyValues,
      name: name,
      epoch: keys.epoch,
      keyClass: .afterFirstUnlock
    )
    guard let version,
      let body = keys.seal(RecordHead(version, fields: record.fields), secret, at: place)
    else { return }
    change.state.bodies[.lost(.keyValues, name, version.content)] = body
  }

  // MARK: Stores

  /// The names of the device's stores; nil if they cannot be read.
  var stores: Set<String>? {
    let lookup = ItemLookup(
      device: device.identity,
      itemClass: .genericPassword,
      terms: [device.vault.hash(of: SearchTerm(.service, .text(KeyValuePlace.service)))]
        .compactMap { $0 }
    )
    var names: Set<String> = []
    var cursor: ItemHash?
    repeat {
      let page = try? engine.items.eachItem(lookup, after: cursor, limit: 256) {
        [device] stored in
        if let item = device.vault.item(stored), item.group == AccessGroups.internalGroup,
          case .text(KeyValuePlace.service)? = item.attributes[.service],
          case .text(let store)? = item.attributes[.account]
        {
          names.insert(store)
        }
        return true
      }
      guard let page else { return nil }
      cursor = page.next
    } while cursor != nil
    return names
  }
}

/// Reads stores while a batch is sealed, each once.
final class StoreReader {
  private let engine: Engine
  private let device: LiveDevice
  private var read: [String: StoredKeyValues?] = [:]

  init(_ engine: Engine, _ device: LiveDevice) {
    self.engine = engine
    self.device = device
  }

  /// A store as it is; nil for one that cannot be read.
  func values(of store: String) -> StoredKeyValues? {
    if let known = read[store] { return known }
    let values = (try? engine.read(KeyValuePlace(device: device, store: store)))?.values
    read.updateValue(values, forKey: store)
    return values
  }
}

extension StoredKeyValues {
  /// Begins with what a hub has: of the circle that the values are of already, or of a person's first one, and else of
  /// another account.
  @discardableResult
  mutating func begin(
    _ circle: SyncDigest,
    _ hub: [KeyValueKey: KeyValueZone.Value]
  ) -> KeyValueZone.Downloaded {
    defer { self.circle = circle }
    guard self.circle == .none || self.circle == circle else { return zone.changedAccount(to: hub) }
    zone.signedOut()
    zone.signedIn()
    return zone.downloaded(hub)
  }

  /// Whether these are the bytes of a value: one property list, in the one spelling.
  static func isValue(_ secret: borrowing Secret) -> Bool {
    guard secret.count <= KeyValueLimits.bytesMax else { return false }
    let bytes = bytes(of: secret)
    return (try? PropertyList(binary: bytes).binary()) == bytes
  }

  /// The bytes of a value, which is no secret to programs of its access group.
  static func bytes(of secret: borrowing Secret) -> [UInt8] {
    // SAFETY: the bytes are copied while they are lent.
    unsafe secret.withUnsafeBytes { unsafe Array($0) }
  }
}

extension BodyOpener.Content {
  /// The value that it says; nil if it was taken before.
  fileprivate var value: KeyValueZone.Value? {
    guard let secret = secret.copied()?.take() else { return nil }
    let bytes = StoredKeyValues.bytes(of: secret)
    return KeyValueZone.Value(bytes, size: bytes.count)
  }
}
