import LocalAuthCore
import LocalAuthKeychain
import LocalAuthSync

/// Taking up what a device kept of its synchronization, once its keys are there.
extension Engine {
  /// Takes it up at the first unlock, which may be now.
  ///
  /// - Parameters:
  ///   - device: The device.
  ///   - isDistrusted: Whether an older state may have been put back.
  func resumeSynchronization(of device: LiveDevice, isDistrusted: Bool) {
    device.keptWatermarks = watermarks[device.identity]
    guard !resume(device, isDistrusted) else { return }
    var watch: LockWatch?
    watch = LockWatch(device, clock: clock) { [weak self, weak device] report in
      guard let self, let device, report != nil, resume(device, isDistrusted) else { return }
      watch?.end()
      watch = nil
    }
    if let watch { device.lockWatches.add(watch) }
  }

  /// Whether nothing is left to take up.
  private func resume(_ device: LiveDevice, _ isDistrusted: Bool) -> Bool {
    guard device.synchronizer == nil else { return true }
    guard device.vault.sync.isOpen else { return false }
    guard let stored = try? items.syncRows(of: device.identity) else {
      device.isSyncDamaged = true
      return true
    }
    let watermarks = device.keptWatermarks
    device.keptWatermarks = nil
    guard !stored.isEmpty || watermarks != nil else { return true }
    guard let kept = KeptSynchronization(stored, device.vault.sync, self),
      let secrets = device.vault.sync.openPeer(
        kept.state.membership.sealedPeer,
        kept.state.membership.name
      )
    else {
      device.isSyncDamaged = true
      return true
    }
    let synchronizer = Synchronizer(self, device, secrets, kept.state)
    synchronizer.isStored = true
    synchronizer.keys = kept.keys
    // Whoever put rows back could make the device use a counter twice.
    if isDistrusted || watermarks != SyncWatermark.bytes(of: Synchronizer.watermarks(kept.state)) {
      synchronizer.trouble = .stateWasChanged
    }
    device.synchronizer = synchronizer
    synchronizer.begin()
    return true
  }
}

/// What the rows of a device say, if all of them open and agree.
private struct KeptSynchronization {
  var state: Synchronizer.State
  var keys = ZoneKeyring()

  init?(_ stored: [SealedRow], _ vault: any SyncVault, _ engine: Engine) {
    var rows: [SyncRow.Kind: [SyncRow]] = [:]
    for sealed in stored {
      guard let (key, value) = vault.open(sealed), let row = SyncRow(key: key, value: value) else {
        return nil
      }
      rows[row.key.kind, default: []].append(row)
    }
    let ports = SyncPorts(hash: engine.hash, signatures: engine.signatures)
    guard rows[.membership]?.count == 1, let row = rows[.membership]?.first,
      let membership = SyncMembership(row),
      let circle = CircleLog(rows: Self.rows(rows, [.circle, .circleEntry]), ports),
      let book = HeartbeatBook(
        rows: Self.rows(rows, [.heartbeats, .heartbeat]),
        in: circle,
        ports
      )
    else { return nil }
    state = Synchronizer.State(membership: membership)
    state.circle = circle
    state.book = book
    guard readZones(rows), readOwn(rows) else { return nil }
    state.settle()
  }

  private static func rows(
    _ rows: [SyncRow.Kind: [SyncRow]],
    _ kinds: [SyncRow.Kind]
  ) -> [SyncRow] { kinds.flatMap { rows[$0] ?? [] } }

  private mutating func readZones(_ rows: [SyncRow.Kind: [SyncRow]]) -> Bool {
    let kinds = SyncRow.Kind.allCases.filter(\.isOfReplica)
    let zones = Dictionary(grouping: Self.rows(rows, kinds)) { $0.key.zone }
    for (zone, rows) in zones {
      guard let zone, let replica = ZoneReplica(rows: rows), replica.chain.zone == zone else {
        return false
      }
      state.zones[zone] = replica
    }
    return true
  }

  /// Reads what only this device has.
  private mutating func readOwn(_ rows: [SyncRow.Kind: [SyncRow]]) -> Bool {
    for row in rows[.item] ?? [] {
      guard let (name, item) = SyncedItem.read(row) else { return false }
      state.put(item, as: name)
    }
    for row in Self.rows(rows, [.waitingBody, .sentBody, .lostBody]) {
      guard let kept = KeptBody(row) else { return false }
      state.bodies[kept] = row.value
    }
    for row in rows[.value] ?? [] {
      guard let (name, record) = ValueRecord.read(row) else { return false }
      state.values[name] = record
    }
    for row in rows[.document] ?? [] {
      guard let (name, key) = DocumentKey.read(row) else { return false }
      state.documents[name] = key
    }
    for row in rows[.tableRow] ?? [] {
      guard let (name, key) = TableKey.read(row) else { return false }
      state.rows[name] = key
    }
    for row in rows[.sweep] ?? [] {
      guard let sweep = ChunkSweep(row) else { return false }
      state.sweep = sweep
    }
    for row in rows[.store] ?? [] {
      switch row {
      case ValueRecord.downloaded: state.hasValues = true
      case TableRecord.downloaded: state.hasTables = true
      default: return false
      }
    }
    for row in rows[.plannedKeys] ?? [] {
      guard let (zone, plan) = PlannedEpoch.read(row) else { return false }
      state.plannedKeys[zone] = plan
    }
    for row in rows[.seen] ?? [] {
      guard let seen = SeenSecrets(row) else { return false }
      state.seen[seen.peer] = seen
    }
    for row in rows[.keys] ?? [] {
      guard let (zone, epoch, sealed) = SealedZoneKeys.read(row) else { return false }
      keys.put(sealed, epoch: epoch, of: zone)
    }
    return true
  }
}
