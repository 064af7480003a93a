import LocalAuthCore
import LocalAuthPolicies
import LocalAuthSensor

/// Finding policies and devices by name, and loading devices into memory.
extension Engine {
  func policy(named name: String) throws(EngineError) -> Policy {
    switch catalog.policy(named: name) {
    case .success(let policy): return policy
    case .failure(let error): throw EngineError(error, policy: name)
    }
  }

  func lockoutProfile(
    named name: String,
    for policy: String
  ) throws(EngineError) -> LockoutProfile {
    switch catalog.lockoutProfile(named: name) {
    case .success(let profile): return profile
    case .failure(let error): throw .policyUnusable(policy: policy, message: "\(error)")
    }
  }

  /// The device called `name` of the caller's `owner`.
  func device(named name: String?, of caller: Caller) throws(EngineError) -> LiveDevice {
    let name = name ?? DeviceIdentity.defaultName
    let identity = DeviceIdentity(owner: caller.owner, name: name)
    guard !identity.isReserved else { throw .deviceNotFound(name) }
    if let device = devices[identity] { return device }
    if let found = unusable[identity] {
      throw .policyUnusable(policy: name, message: found.reason)
    }
    guard name == DeviceIdentity.defaultName,
      options.servesEverybody || caller.owner == options.owner
    else {
      throw .deviceNotFound(name)
    }
    guard let device = adoptDefault(identity) else {
      throw .policyUnusable(policy: name, message: unusable[identity]?.reason ?? "")
    }
    return device
  }

  /// The user's own machine, which exists without being created.
  private func adoptDefault(_ identity: DeviceIdentity) -> LiveDevice? {
    var record = current(DeviceRecord(identity: identity, isSimulated: false))
    record.passcodeDelays = DeviceRecord.accountPasscodeDelays
    let keybag = orphanedKeybags[identity]
    guard let device = adopt(record, isDistrusted: mayHaveLostDevices, keybag: keybag) else {
      unusable[identity]?.stored = nil
      return nil
    }
    orphanedKeybags[identity] = nil
    // Losing a device's row must not clear its counts.
    if mayHaveLostDevices {
      let doubt = runner.doubt(of: identity)
      runner.meet(device) { $0.raiseCounts(to: doubt, at: $1) }
    }
    return device
  }

  /// The devices of the caller's `owner`, sorted by name.
  func devices(of caller: Caller) -> [LiveDevice] {
    devices.values.filter { $0.identity.owner == caller.owner && !$0.identity.isReserved }
      .sorted { $0.identity.name < $1.identity.name }
  }

  /// The named device, or all known devices if `name` is nil.
  func devices(_ name: String?, of caller: Caller) throws(EngineError) -> [LiveDevice] {
    guard let name else { return devices(of: caller) }
    return [try device(named: name, of: caller)]
  }

  /// Loads a record into memory; returns nil if its profile, delays or sensor profile cannot be
  /// loaded.
  @discardableResult
  func adopt(
    _ record: DeviceRecord,
    isDistrusted: Bool,
    keybag: [UInt8]? = nil,
    stoppedAt moment: Moment? = nil
  ) -> LiveDevice? {
    let rules: DeviceRules
    let account: LiveDevice?
    do {
      rules = try self.rules(of: record)
      try checkModel(of: record)
      account = try accountDevice(for: record).get()
    } catch {
      unusable[record.identity] = UnusableDevice(
        reason: "\(error)",
        stored: UnusableDevice.Stored(record: record, isDistrusted: isDistrusted, keybag: keybag)
      )
      return nil
    }
    let device = LiveDevice(
      record: record,
      account: account,
      rules: rules.own,
      lasting: rules.lasting,
      isDistrusted: isDistrusted,
      vault: vaults.vault(of: record.identity),
      keybag: keybag,
      limits: options.queue,
      stoppedAt: moment
    )
    attachSensor(to: device)
    device.plug(authenticators(record.identity), hash)
    devices[record.identity] = device
    watchTimers(of: device)
    runner.meet(device) { $0.started(at: $1) }
    adoptPrints(on: device)
    resumeSynchronization(of: device, isDistrusted: isDistrusted)
    return device
  }

  /// The device that counts the account's password that PAM judges for this record; nil if the
  /// device counts for itself.
  ///
  /// Fails if the account's own machine cannot be loaded: this device would be a second count.
  private func accountDevice(for record: DeviceRecord) -> Result<LiveDevice?, EngineError> {
    guard case .pam = record.passcode, record.identity.name != DeviceIdentity.defaultName else {
      return .success(nil)
    }
    let identity = DeviceIdentity(owner: record.identity.owner, name: DeviceIdentity.defaultName)
    if let device = devices[identity] { return .success(device) }
    if unusable[identity] == nil, let device = adoptDefault(identity) { return .success(device) }
    return .failure(
      .policyUnusable(policy: identity.name, message: unusable[identity]?.reason ?? "")
    )
  }

  /// Throws if the sensor profile that the record names cannot be loaded, so that no other replaces
  /// it.
  private func checkModel(of record: DeviceRecord) throws(PolicyError) {
    guard let name = record.sensorSettings?[SettingKey.model.rawValue], SensorProfile.isName(name)
    else { return }
    _ = try catalog.sensorProfile(named: name).get()
  }

  /// An opaque token that changes whenever the enrolled set does; nil if the set is empty.
  func domainState(of device: LiveDevice) -> [UInt8]? {
    let enrolment = device.record.enrolment
    guard !enrolment.fingers.isEmpty else { return nil }
    if let known = device.domainState, known.generation == enrolment.generation {
      return known.token
    }
    let name = device.identity
    let token = digest.tag(
      over: Array("domain \(name.owner) \(name.name) \(enrolment.generation)".utf8)
    )
    device.domainState = (enrolment.generation, token)
    return token
  }

  /// The record with the configured values that are not stored.
  ///
  /// They say who judges the passcode of the user's own machine, even if its record was damaged.
  func current(_ record: DeviceRecord) -> DeviceRecord {
    guard record.identity.name == DeviceIdentity.defaultName else { return record }
    var record = record
    record.isSimulated = false
    record.sensorSettings = nil
    record.passcode = .pam(service: options.pamService, directory: options.pamDirectory)
    return record
  }

  private func watchTimers(of device: LiveDevice) {
    var scheduled: ScheduleToken?
    device.timers.watch { [clock, weak device] in
      if let token = scheduled { clock.cancel(token) }
      scheduled = nil
      guard let device, !device.clock.isStopped, let earliest = device.timers.earliest else {
        return
      }
      scheduled = clock.schedule(at: device.clock.machineInstant(of: earliest)) {
        [clock, weak device] in
        guard let device else { return }
        device.timers.fire(at: device.now(clock.now()).boot)
      }
    }
  }

  /// Forgets a device: ends everything in progress or waiting on it, stops its timers, and keeps
  /// late results from being written.
  ///
  /// It may be forgotten already, if its creation failed while it was being deleted. Another device
  /// may have its name by then.
  func forget(_ device: LiveDevice) {
    guard devices[device.identity] === device else { return }
    runner.meet(device) { machine, _ in machine.remove(true) }
    devices[device.identity] = nil
    cancelAll(on: device)
    while !device.awaitedTouches.isEmpty {
      let touch = device.awaitedTouches.removeFirst()
      device.timers.cancel(touch.timer)
      touch.body(.failure(.gone(device)))
    }
    // Answers touches still being sampled: they were dropped.
    device.timers.runOut()
    device.endSynchronization()
    for watch in device.lockWatches.takeAll() { watch.deviceIsGone() }
    for watch in device.keyValueWatches.takeAll() { watch.deviceIsGone() }
    for watch in device.documentWatches.takeAll() { watch.deviceIsGone() }
    for watch in device.tableWatches.takeAll() { watch.deviceIsGone() }
  }
}
