import LocalAuthCore

/// What an act has stored with its device.
struct ActStore {
  /// What is written before the device's own record.
  var changes: [StateChange] = []
  /// The audit line of who did it.
  var line: AuditRecord?
  /// Hears whether it is durable.
  var body: (_ isDurable: Bool) -> Void
}

/// What is durable of devices.
extension EffectRunner {
  /// Makes the device durable as it is now; `body` hears whether it is.
  func storeDevice(
    _ device: LiveDevice,
    _ kind: CommitKind,
    then body: @escaping (_ isDurable: Bool) -> Void = { _ in }
  ) {
    let name = nextName()
    store(device, as: name, ActStore(body: body)) { $0.store(name, kind, at: $1) }
  }

  /// Lets the machine meet an event that makes it durable as `act`, with what else the act has to store.
  func store(
    _ device: LiveDevice,
    as act: EvaluationID,
    _ store: ActStore,
    by event: (inout DeviceMachine, Moment) -> Void
  ) {
    stores[act] = store
    meet(device, event)
  }

  /// Calls `body` with why the durable state of a device cannot be written, or nil.
  func whenStorageWorks(_ device: LiveDevice, _ body: @escaping (StorageError?) -> Void) {
    let name = nextName()
    storageChecks[name] = body
    meet(device) { $0.checkStorage(for: name, at: $1) }
  }

  /// What a commit writes: what comes before the device's own record, that record, and the audit line.
  func changes(
    of commit: DeviceMachine.Commit,
    _ session: Session?,
    of device: LiveDevice
  ) -> (changes: [StateChange], kind: CommitKind, line: AuditRecord?) {
    var changes = earlier(commit, of: device)
    var kind = commit.kind
    if let record = commit.record {
      let own = ownChanges(of: device, record, kind)
      changes += own.changes
      kind = own.kind
    }
    let line = line(of: commit, session)
    if let line { changes.append(.audit(line)) }
    return (changes, kind, line)
  }

  /// What is written before the device's own record.
  private func earlier(_ commit: DeviceMachine.Commit, of device: LiveDevice) -> [StateChange] {
    switch commit.purpose {
    case .reopen:
      // Nobody knows what of the last commit is on the disk, so all is written, the keybag too; and what an erasure was
      // to remove is sealed under keys that are gone.
      device.isKeybagStored = false
      return device.isErasureDue ? [.deviceRemoved(device.identity)] : []
    case .act(let act): return stores[act]?.changes ?? []
    case .charge, .answer, .settle, .redeem, .remember, .close, .housekeeping: return []
    }
  }

  /// What the device itself has to store; an older keybag that is put back must be noticed.
  private func ownChanges(
    of device: LiveDevice,
    _ record: DeviceRecord,
    _ kind: CommitKind
  ) -> (changes: [StateChange], kind: CommitKind) {
    guard !device.isKeybagStored else { return ([.device(record)], kind) }
    device.isKeybagStored = true
    return ([.device(record), .keybag(device.identity, device.sealedKeybag)], .guarded)
  }

  private func line(of commit: DeviceMachine.Commit, _ session: Session?) -> AuditRecord? {
    if case .act(let act) = commit.purpose { return stores[act]?.line }
    guard let audit = commit.audit, let owner = commit.purpose.owner else { return nil }
    return session?.line(audit, commit.purpose) ?? acts[owner]?.line?(audit.verdict)
  }
}
