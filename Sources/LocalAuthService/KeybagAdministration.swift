import LocalAuthCore
import LocalAuthKeychain
import LocalAuthSecret

/// Making, rewrapping and erasing keybags, each in one durable commit with the device's record and
/// the audit line.
extension Engine {
  /// Makes a keybag for a device that has neither passcode nor keybag.
  func completeKeybag(of device: LiveDevice) {
    guard device.record.passcode == .none, device.sealedKeybag == nil else { return }
    let keys = device.vault.keys(creating: DeviceState.noPasscode.opened)
    runner.seal(keys, device.keybag.record, passcode: nil) { [self] sealed in
      guard let sealed, device.sealedKeybag == nil else { return }
      keys.install(DeviceState.noPasscode.opened)
      device.sealedKeybag = sealed
      device.renewEnrolledSet()
      runner.storeDevice(device, .guarded)
    }
  }

  /// Makes a new device durable, with a keybag of its own unless its passcode is PAM's.
  func makeKeybag(
    _ act: DeviceAct,
    passcode: SecretBox?,
    then body: @escaping Completion
  ) {
    let device = act.device
    guard device.record.passcode == .none else { return complete(act, then: body) }
    guard let passcode else {
      let keys = device.vault.keys(creating: DeviceState.noPasscode.opened)
      return runner.seal(keys, device.keybag.record, passcode: nil) { [self] sealed in
        guard let sealed else { return body(.failure(Self.unsealed)) }
        keys.install(DeviceState.noPasscode.opened)
        device.sealedKeybag = sealed
        device.renewEnrolledSet()
        complete(act, then: body)
      }
    }
    let keys = device.vault.keys(creating: .all)
    replaceKeybag(act, device.keybag.setPasscode(), keys, passcode, body) {
      keys.install(DeviceState.noPasscode.opened)
      device.renewEnrolledSet()
      return .device
    }
  }

  /// Sets the first passcode of a device that has a keybag.
  func setKeybag(_ act: DeviceAct, _ passcode: SecretBox, _ body: @escaping Completion) {
    let device = act.device
    let keys = device.vault.keys(creating: .passcodeSet)
    replaceKeybag(act, device.keybag.setPasscode(), keys, passcode, body) { .device }
  }

  /// Rewraps a keybag, opened with the old passcode, under the new one.
  func changeKeybag(
    _ act: DeviceAct,
    to passcode: SecretBox,
    _ body: @escaping Completion
  ) {
    guard let keys = act.opened else { return body(.failure(Self.unsealed)) }
    replaceKeybag(act, act.device.keybag.changePasscode(), keys, passcode, body) { nil }
  }

  /// Rewraps a keybag, opened with its passcode, under the device key alone.
  func removeKeybagPasscode(_ act: DeviceAct, _ body: @escaping Completion) {
    guard let keys = act.opened else { return body(.failure(Self.unsealed)) }
    replaceKeybag(act, act.device.keybag.removePasscode(), keys, nil, body) {
      PasscodeProvider.none
    }
  }

  /// Erases all that a device has, and makes a new keybag unless PAM judges the passcode.
  ///
  /// The new keybag is sealed first, behind whatever else the threads have to do. Whatever is
  /// written until then has the counts and the passcode of the old keybag beside it, and if the new
  /// one cannot be sealed, nothing has changed. A change of the keybag that is under way now, or
  /// when the new one takes its place, fails.
  func erase(_ act: DeviceAct, then body: @escaping Completion) {
    let device = act.device
    device.erasures += 1
    let keys = device.vault.keys(creating: DeviceState.noPasscode.opened)
    if case .pam = device.record.passcode { return erase(act, nil, keys, body) }
    runner.seal(keys, KeybagRecord(), passcode: nil) { [self] sealed in
      guard let sealed else { return body(.failure(Self.unsealed)) }
      erase(act, sealed, keys, body)
    }
  }

  /// Takes everything away at once, in memory and by one commit.
  private func erase(
    _ act: DeviceAct,
    _ sealed: [UInt8]?,
    _ keys: any OpenedKeys,
    _ body: @escaping Completion
  ) {
    let device = act.device
    guard !device.machine.isRemoved else { return body(.failure(.gone(device))) }
    // What was begun while the keybag was sealed ends, too.
    cancelAll(on: device)
    // Whoever heard of that may have removed the device.
    guard !device.machine.isRemoved else { return body(.failure(.gone(device))) }
    replaceKeys(of: device, by: sealed, keys)
    runner.meet(device) { machine, _ in machine.erased() }
    adopt(EnrolmentSet(generation: device.record.enrolment.generation + 1), on: device)
    device.lockWatches.look()
    device.authorizations.deviceClosed()
    commitErasure(act, body)
  }

  private func replaceKeys(
    of device: LiveDevice,
    by sealed: [UInt8]?,
    _ keys: any OpenedKeys
  ) {
    device.erasures += 1
    device.keybagsErased += 1
    // A row that is written before the erasure is durable is counted with those that come after it.
    device.tableRevisions = TableRevisions(&random)
    device.keybag = Keybag(KeybagRecord(hasPasscode: sealed == nil))
    device.vault.wipe(.all)
    device.endSynchronization()
    if sealed != nil { keys.install(DeviceState.noPasscode.opened) }
    device.sealedKeybag = sealed
  }

  private func commitErasure(_ act: DeviceAct, _ body: @escaping Completion) {
    let device = act.device
    var line = act.audit
    close(&line, .success, on: device)
    let removed = StateChange.deviceRemoved(device.identity)
    let store = ActStore(changes: [removed], line: line) { [self] isDurable in
      device.isErasureDue = device.isErasureDue || !isDurable
      if isDurable {
        device.keyValueWatches.tellAll(.allIsGone)
        device.documentWatches.tellAll(.anything)
        tellTables(of: device)
      }
      body(isDurable ? .success(()) : .failure(.unwritable(device)))
    }
    let id = act.audit.id
    runner.store(device, as: id, store) { $0.store(id, at: $1) }
  }

  // MARK: PAM

  /// Makes the keybag of a device whose passcode PAM judges, or rewraps it under another password.
  func setPassword(
    _ new: SecretBox,
    on device: LiveDevice,
    old: SecretBox?,
    caller: Caller,
    _ body: @escaping Completion
  ) throws(EngineError) {
    let isFirst = device.sealedKeybag == nil
    if !isFirst, old == nil { throw .passcodeRequired }
    let verb = isFirst ? "passcode set" : "passcode change"
    authorize(verb, on: device, passcode: new.copied(), caller: caller) { [self] in
      whenProven($0, body) { [self] act, end in
        guard let old, !isFirst else { return makePasswordKeybag(act, new, end) }
        let keybag = DevicePasscode(of: device, runner: runner)
        let evidence = Evidence(keybag, .text(old), on: device, wantsKeys: true)
        prove(act, evidence, as: .keybag) { [self] in
          whenProven($0, body) { [self] in changeKeybag($0, to: new, $1) }
        }
      }
    }
  }

  private func makePasswordKeybag(
    _ act: DeviceAct,
    _ password: SecretBox,
    _ body: @escaping Completion
  ) {
    let device = act.device
    guard device.sealedKeybag == nil else { return body(.failure(Self.busy)) }
    let before = device.keybag
    device.keybag = Keybag(KeybagRecord())
    let keys = device.vault.keys(creating: .all)
    replaceKeybag(act, device.keybag.setPasscode(), keys, password) { result in
      if case .failure = result { device.keybag = before }
      body(result)
    } _: {
      keys.install(DeviceState.noPasscode.opened)
      device.renewEnrolledSet()
      return nil
    }
  }

  // MARK: Steps

  /// Seals `keys` as `action` demands, applies `prepare`, and makes the result durable.
  ///
  /// `prepare` returns the new passcode provider, or nil if it stays. After the commit the keybag
  /// carries on with the new keys; if it fails, the provider and the sealed keybag are restored.
  private func replaceKeybag(
    _ act: DeviceAct,
    _ action: Keybag.Action,
    _ keys: any OpenedKeys,
    _ passcode: SecretBox?,
    _ body: @escaping Completion,
    _ prepare: @escaping () -> PasscodeProvider?
  ) {
    let device = act.device
    guard case .commit(_, let next) = action else { return body(.failure(Self.busy)) }
    seal(keys, next, passcode, on: device, tries: Self.sealingsMax) { [self] result in
      let sealed: [UInt8]
      switch result {
      case .success(let bytes): sealed = bytes
      case .failure(let error):
        device.follow(device.keybag.commitFailed(), with: keys)
        return body(.failure(error))
      }
      let before = (provider: device.record.passcode, keybag: device.sealedKeybag)
      device.sealedKeybag = sealed
      let provider = prepare() ?? before.provider
      let erased = device.keybagsErased
      runner.meet(device) { machine, now in
        machine.setPasscode(provider)
        if next.hasPasscode { machine.passcodeWasSet(at: now) }
      }
      complete(act) { [self] result in
        switch result {
        // An erasure has taken the keybag and the passcode away, and nothing brings them back.
        case _ where erased != device.keybagsErased: break
        case .success: device.follow(device.keybag.committed(), with: keys)
        case .failure:
          runner.meet(device) { machine, _ in machine.setPasscode(before.provider) }
          device.sealedKeybag = before.keybag
          device.follow(device.keybag.commitFailed(), with: keys)
        }
        body(result)
        deviceChanged(device)
      }
    }
  }

  /// Seals `keys` with the secret of the enrolled set as it is at the end.
  ///
  /// A finger that is enrolled or removed meanwhile outdates that secret, so it is done again, a few
  /// times at most: a reader may report changes without end. Keys that were erased meanwhile are not
  /// sealed again.
  private func seal(
    _ keys: any OpenedKeys,
    _ record: KeybagRecord,
    _ passcode: SecretBox?,
    on device: LiveDevice,
    tries: Int,
    then body: @escaping (Result<[UInt8], EngineError>) -> Void
  ) {
    let generation = device.record.enrolment.generation
    let erasures = device.erasures
    runner.seal(keys, record, passcode: passcode?.copied()) { [self] sealed in
      guard let sealed else { return body(.failure(Self.unsealed)) }
      guard erasures == device.erasures else { return body(.failure(Self.busy)) }
      if generation == device.record.enrolment.generation { return body(.success(sealed)) }
      guard tries > 1 else { return body(.failure(Self.busy)) }
      seal(keys, record, passcode, on: device, tries: tries - 1, then: body)
    }
  }

  /// How often a keybag is sealed before a change of it is given up.
  private static let sealingsMax = 3

  private static let busy = EngineError.refused(
    Outcome(.busy, detail: "The passcode or the fingers are being changed; try again.")
  )
  private static let unsealed = EngineError.internalError("The keybag cannot be sealed.")
}
