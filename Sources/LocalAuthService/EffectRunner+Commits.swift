import LocalAuthCore

/// What an act stores together with its device.
struct ActStore {
  /// Changes written before the device's own record.
  var changes: [StateChange] = []
  /// The audit line of the act.
  var line: AuditRecord?
  /// Called with whether it is durable.
  var body: (_ isDurable: Bool) -> Void
}

/// Writing the durable state of devices.
extension EffectRunner {
  /// Makes the device's current state durable; `body` is called with whether it is.
  func storeDevice(
    _ device: LiveDevice,
    _ kind: CommitKind,
    then body: @escaping (_ isDurable: Bool) -> Void = { _ in }
  ) {
    let name = nextName()
    store(device, as: name, ActStore(body: body)) { $0.store(name, kind, at: $1) }
  }

  /// Stores `store` with the device; `event` must make the machine commit as `act`.
  func store(
    _ device: LiveDevice,
    as act: EvaluationID,
    _ store: ActStore,
    by event: (inout DeviceMachine, Moment) -> Void
  ) {
    stores[act] = store
    meet(device, event)
  }

  /// Calls `body` with the reason why the device's state cannot be written, or nil.
  func whenStorageWorks(_ device: LiveDevice, _ body: @escaping (StorageError?) -> Void) {
    let name = nextName()
    storageChecks[name] = body
    meet(device) { $0.checkStorage(for: name, at: $1) }
  }

  /// The changes of a commit: those before the device's own record, the record, and the audit line.
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

  /// The changes written before the device's own record.
  private func earlier(_ commit: DeviceMachine.Commit, of device: LiveDevice) -> [StateChange] {
    switch commit.purpose {
    case .reopen:
      // How much of the last commit reached the disk is unknown, so write everything, including the
      // keybag. Items that a failed erasure left behind are sealed under destroyed keys: remove
      // them.
      device.isKeybagStored = false
      return device.isErasureDue ? [.deviceRemoved(device.identity)] : []
    case .act(let act): return stores[act]?.changes ?? []
    case .charge, .answer, .settle, .redeem, .remember, .close, .housekeeping: return []
    }
  }

  /// The device's own changes; a new keybag needs a guarded commit so that replaying an older one
  /// is detected.
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
    guard let line = session?.line(audit, commit.purpose) else {
      return acts[owner]?.line?(audit.verdict)
    }
    session?.hasLine = true
    session?.isLineOpen = line.outcome == nil
    return line
  }
}
