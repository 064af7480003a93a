import LocalAuthCore
import LocalAuthKeychain
import LocalAuthSecret
import LocalAuthSync

/// Sealing what waits, and taking the hub's answers.
extension Synchronizer {
  /// The most bytes of bodies in a batch, so that a reader gets it in one page.
  private static let batchBytesMax = 4 << 20
  /// The most changes in a batch.
  private static let batchChangesMax = 256

  /// What is sent at once.
  struct Sending {
    let batch: Outbox.Batch
    let bodies: ZoneBodies
    /// Whether it has all that could be sent when it was composed.
    let isAll: Bool
  }

  /// The batch to send next, durable by now, with its bodies; nil if nothing can be sent.
  ///
  /// - Parameters:
  ///   - zone: The zone.
  ///   - takesRoom: Whether a new batch may have what takes room at the hub.
  ///   - body: Gets it.
  func nextBatch(
    of zone: ZoneName,
    takingRoom takesRoom: Bool,
    then body: @escaping (Sending?) -> Void
  ) {
    takingTurn { [self] leave in
      if let batch = state.zones[zone]?.outbox.batch {
        leave()
        return body(Sending(batch: batch, bodies: sentBodies(batch, zone), isAll: false))
      }
      guard let (change, batch, isAll) = composed(zone, takingRoom: takesRoom) else {
        leave()
        return body(nil)
      }
      commit(change) { [self] result in
        leave()
        guard case .success = result else { return body(nil) }
        body(Sending(batch: batch, bodies: sentBodies(batch, zone), isAll: isAll))
      }
    }
  }

  private func sentBodies(_ batch: Outbox.Batch, _ zone: ZoneName) -> ZoneBodies {
    var bodies: ZoneBodies = [:]
    for change in batch.entry.changes where change.body != nil {
      bodies[change.name] = state.bodies[.sent(zone, change.name)]
    }
    return bodies
  }

  /// Seals and signs what can be sent.
  private func composed(
    _ zone: ZoneName,
    takingRoom takesRoom: Bool
  ) -> (change: Change, batch: Outbox.Batch, isAll: Bool)? {
    var change = Change(state: state)
    let access = keys.access(to: zone, isUnlocked: vault.isUnlocked)
    guard var replica = state.zones[zone],
      var plan = replica.plan(
        in: state.circle,
        access,
        purging: duePurges(of: replica),
        reseals: true,
        takingRoom: takesRoom,
        limit: Self.batchChangesMax
      )
    else { return nil }
    let planned = plan.versions.count
    let bodies = sealAll(&plan, zone)
    guard !plan.versions.isEmpty || !plan.purges.isEmpty else { return nil }
    let batch = replica.compose(
      plan,
      bodies.mapValues { ports.hash.digest(of: $0) },
      BatchIdentifier(
        high: .random(in: .min ... .max, using: &engine.random),
        low: .random(in: .min ... .max, using: &engine.random)
      ),
      in: state.circle,
      heads: state.zones.heads(besides: zone),
      signedBy: secrets.signer
    )
    guard let batch else { return nil }
    change.state.zones[zone] = replica
    for (name, bytes) in bodies { change.state.bodies[.sent(zone, name)] = bytes }
    let isAll =
      plan.versions.count == planned && batch.entry.changes.count < Self.batchChangesMax
    return (change, batch, isAll)
  }

  /// The tombstones that may go, which are looked for once an hour: they wait 90 days.
  private func duePurges(of replica: ZoneReplica) -> [RecordName] {
    let now = now.boot
    if let last = lastPurges[replica.chain.zone], now - last < .seconds(3600) { return [] }
    let due = replica.duePurges(state.book, in: state.circle)
    // What does not fit into one batch goes with the next.
    if due.count < Self.batchChangesMax { lastPurges[replica.chain.zone] = now }
    return due
  }

  /// Seals the versions of a plan, and drops from it what does not fit or is not here as it says.
  private func sealAll(_ plan: inout PushPlan, _ zone: ZoneName) -> ZoneBodies {
    var bodies: ZoneBodies = [:]
    var size = 0
    let stores = StoreReader(engine, device)
    for (name, version) in plan.versions.sorted(by: { $0.key < $1.key }) {
      guard size < Self.batchBytesMax,
        let bytes = sealed(version, of: name, zone, plan.epoch, from: stores)
      else {
        plan.versions[name] = nil
        continue
      }
      bodies[name] = bytes
      size += bytes.count
    }
    return bodies
  }

  /// The body of a version that this device holds; nil if its item or value is another by now.
  func sealed(
    _ version: RecordVersion,
    of name: RecordName,
    _ zone: ZoneName,
    _ epoch: UInt32? = nil,
    from stores: StoreReader
  ) -> [UInt8]? {
    let epoch = epoch ?? state.circle.epoch(of: zone, at: state.circle.head.number)
    guard let epochKeys = keys[zone, epoch] else { return nil }
    let place = RecordPlace(
      circle: state.circle.circle,
      zone: zone,
      name: name,
      epoch: epoch,
      keyClass: version.keyClass
    )
    if version.isTombstone {
      let head = RecordHead(version, fields: [:])
      return epochKeys.seal(head, Secret(capacity: 0), at: place)
    }
    guard let (fields, secret) = content(of: name, zone, stores) else { return nil }
    let data = secret.take() ?? Secret(capacity: 0)
    guard epochKeys.content(RecordHead.content(of: fields), data) == version.content else {
      return nil
    }
    return epochKeys.seal(RecordHead(version, fields: fields), data, at: place)
  }

  /// What a record says now; nil if there is nothing here that it stands for, or that cannot be read.
  private func content(
    of name: RecordName,
    _ zone: ZoneName,
    _ stores: StoreReader
  ) -> (fields: [UInt32: [UInt8]], secret: SecretBox)? {
    switch zone {
    case .keyValues: value(of: name, stores)
    case .documents: document(of: name, stores)
    case .tables: row(of: name)
    default: content(of: name)
    }
  }

  /// What the item of a record says now; nil if there is none, or it cannot be opened.
  private func content(of name: RecordName) -> (fields: [UInt32: [UInt8]], secret: SecretBox)? {
    guard let unknown = state.items[name]?.unknown, let (item, secret) = opened(name),
      let record = try? ItemRecord(item, keeping: unknown)
    else { return nil }
    return (record.fields, secret)
  }

  /// The item of a record with its secret; nil if there is none, or it cannot be opened.
  func opened(_ name: RecordName) -> (item: Item, secret: SecretBox)? {
    guard let own = state.items[name] else { return nil }
    let found = try? engine.items.withItem(own.identifier, of: device.identity) {
      [device] stored -> (Item, SecretBox)? in
      guard let item = device.vault.item(stored), let data = device.vault.data(of: stored) else {
        return nil
      }
      return (item, SecretBox(data))
    }
    return found ?? nil
  }

  /// What the store of a record says now; nil if it has no such value, or cannot be read.
  private func value(
    of name: RecordName,
    _ stores: StoreReader
  ) -> (fields: [UInt32: [UInt8]], secret: SecretBox)? {
    guard let record = state.values[name],
      let value = stores.values(of: record.store)?.zone.values[record.key]
    else { return nil }
    return (record.fields, SecretBox(Secret(copying: value.content)))
  }

  /// What the row of a record says now.
  private func row(of name: RecordName) -> (fields: [UInt32: [UInt8]], secret: SecretBox)? {
    guard let key = state.rows[name], let record = TableRecord(key),
      let row = (try? engine.read(TablePlace(device: device, key: key)))?.row
    else { return nil }
    return (record.fields, SecretBox(Secret(copying: row.bytes)))
  }

  /// What the document of a record, or its chunk, says now.
  private func document(
    of name: RecordName,
    _ stores: StoreReader
  ) -> (fields: [UInt32: [UInt8]], secret: SecretBox)? {
    guard let key = state.documents[name], let document = stores.document(key.document) else {
      return nil
    }
    guard let chunk = key.chunk else {
      let record = document.manifest.flatMap {
        DocumentRecord($0, in: key.container, keeping: key.unknown)
      }
      return record.map { ($0.fields, SecretBox(Secret(capacity: 0))) }
    }
    guard let item = document.chunks[chunk]?.item,
      let bytes = try? engine.bytes(of: chunk, item, on: device),
      let record = DocumentRecord(chunkOf: key.name, in: key.container)
    else { return nil }
    return (record.fields, SecretBox(Secret(copying: bytes)))
  }

  /// Takes the hub's answer to the batch that was sent; `body` gets whether the round may go on.
  func take(_ answer: PushAnswer, of zone: ZoneName, then body: @escaping (Bool) -> Void) {
    takingTurn { [self] leave in
      var change = Change(state: state)
      var isTrusted = true
      do throws(HubAlarm) {
        try change.state.zones[zone]?.answered(answer, in: state.circle, ports)
      } catch { isTrusted = false }
      let sent = state.zones[zone]?.outbox.batch.map { [$0.entry] } ?? []
      foreseeSecrets(of: zone, sent, in: &change)
      conclude(change, of: zone, leave) { body($0 && isTrusted) }
    }
  }

  /// Forgets the bodies of a batch that is not under way any more.
  func forgetSent(_ zone: ZoneName, in change: inout Change) {
    guard let sent = state.zones[zone]?.outbox.batch,
      change.state.zones[zone]?.outbox.batch != sent
    else { return }
    for name in sent.entry.changes.map(\.name) { change.state.bodies[.sent(zone, name)] = nil }
  }
}
