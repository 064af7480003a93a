import LocalAuthCore
import LocalAuthKeychain
public import LocalAuthSecret
public import LocalAuthSync

/// What people do in a circle that their device is in.
extension Engine {
  // MARK: The circle

  /// The synchronization of the caller's device.
  func synchronizer(
    of name: String?,
    allowsSimulated: Bool,
    _ caller: Caller
  ) throws(EngineError) -> Synchronizer {
    let device = try keyedDevice(named: name, allowsSimulated, caller)
    guard !device.isSyncDamaged else { throw .sync(.stateWasChanged) }
    guard let synchronizer = device.synchronizer else { throw .sync(.notMember) }
    return synchronizer
  }

  /// How the synchronization of the caller's device stands.
  public func syncReport(
    of name: String?,
    allowsSimulated: Bool,
    caller: Caller
  ) throws(EngineError) -> SyncReport {
    try synchronizer(of: name, allowsSimulated: allowsSimulated, caller).report
  }

  /// Begins a round with the hub; `body` is called when it has ended.
  public func synchronize(
    _ name: String?,
    allowsSimulated: Bool,
    caller: Caller,
    then body: @escaping (Result<SyncReport, EngineError>) -> Void
  ) throws(EngineError) {
    let synchronizer = try synchronizer(of: name, allowsSimulated: allowsSimulated, caller)
    synchronizer.synchronize { body(.success(synchronizer.report)) }
  }

  /// Opens an invitation; `body` gets the code to show.
  public func inviteDevice(
    _ name: String?,
    allowsSimulated: Bool,
    caller: Caller,
    then body: @escaping (Result<SecretBox, EngineError>) -> Void
  ) throws(EngineError) {
    let synchronizer = try member(name, allowsSimulated, caller)
    try requireUnlocked(synchronizer.device, "Only an unlocked device invites others.")
    synchronizer.invite { body($0.mapError { .sync($0) }) }
  }

  /// Looks whether a device answered the open invitation; `body` gets its name and words, or nil.
  public func answeringDevice(
    _ name: String?,
    allowsSimulated: Bool,
    caller: Caller,
    then body: @escaping (Result<(name: String, words: [String])?, EngineError>) -> Void
  ) throws(EngineError) {
    let synchronizer = try member(name, allowsSimulated, caller)
    synchronizer.lookForRequest { body($0.mapError { .sync($0) }) }
  }

  /// Lets the device in that answered the open invitation, after the passcode was proven.
  public func approveDevice(
    _ name: String?,
    allowsSimulated: Bool,
    passcode: SecretBox?,
    caller: Caller,
    then body: @escaping (Result<Void, EngineError>) -> Void
  ) throws(EngineError) {
    let device = try keyedDevice(named: name, allowsSimulated, caller)
    proven("sync approve", on: device, passcode, caller, body) { synchronizer, done in
      synchronizer.approve(then: done)
    }
  }

  /// Ends the open invitation.
  public func declineDevice(
    _ name: String?,
    allowsSimulated: Bool,
    caller: Caller
  ) throws(EngineError) {
    try member(name, allowsSimulated, caller).decline()
  }

  /// Removes a device from the circle, after the passcode was proven.
  public func removePeer(
    _ peer: PeerIdentifier,
    _ name: String?,
    allowsSimulated: Bool,
    passcode: SecretBox?,
    caller: Caller,
    then body: @escaping (Result<Void, EngineError>) -> Void
  ) throws(EngineError) {
    let device = try keyedDevice(named: name, allowsSimulated, caller)
    proven("sync remove", on: device, passcode, caller, body) { synchronizer, done in
      let circle = synchronizer.state.circle
      guard circle.member(peer, at: circle.head.number) != nil else {
        return done(.failure(.noSuchPeer))
      }
      guard peer != synchronizer.me else { return done(.failure(.lastMember)) }
      synchronizer.removePeer(peer, then: done)
    }
  }

  /// Accepts that the hub of the caller's device lost entries, after the passcode was proven: what the device holds is sent
  /// again and merged.
  public func repairSynchronization(
    _ name: String?,
    allowsSimulated: Bool,
    passcode: SecretBox?,
    caller: Caller,
    then body: @escaping (Result<Void, EngineError>) -> Void
  ) throws(EngineError) {
    let device = try keyedDevice(named: name, allowsSimulated, caller)
    proven("sync repair", on: device, passcode, caller, body) { synchronizer, done in
      synchronizer.repair(then: done)
    }
  }

  /// Forgets the circle on the caller's device, after the passcode was proven; its items stay.
  public func leaveCircle(
    _ name: String?,
    allowsSimulated: Bool,
    passcode: SecretBox?,
    caller: Caller,
    then body: @escaping (Result<Void, EngineError>) -> Void
  ) throws(EngineError) {
    let device = try keyedDevice(named: name, allowsSimulated, caller)
    authorize("sync leave", on: device, passcode: passcode, caller: caller) { [self] result in
      switch result {
      case .failure(let error): body(.failure(error))
      case .success(let act):
        guard device.synchronizer != nil || device.isSyncDamaged else {
          return end(act, .failure(.notMember), body)
        }
        leave(act, body)
      }
    }
  }

  private func leave(
    _ act: DeviceAct,
    _ body: @escaping (Result<Void, EngineError>) -> Void
  ) {
    let device = act.device
    device.mutations.enter { [self] in
      let end: (Result<Void, EngineError>) -> Void = { result in
        device.mutations.leave()
        body(result)
      }
      guard let rows = try? items.syncRows(of: device.identity) else {
        return end(.failure(.unwritable(device)))
      }
      var line = act.audit
      close(&line, .success, on: device)
      let removals = rows.map {
        StateChange.syncRow(device.identity, SealedRow(name: $0.name, sealed: nil))
      }
      let changes = removals + [.watermarks(device.identity, nil), .audit(line)]
      runner.store(changes, [], .guarded) { result in
        if case .success = result { device.endSynchronization() }
        end(result.mapError { EngineError($0) })
      }
    }
  }

  private func member(
    _ name: String?,
    _ allowsSimulated: Bool,
    _ caller: Caller
  ) throws(EngineError) -> Synchronizer {
    let device = try keyedDevice(named: name, allowsSimulated, caller)
    do throws(SyncFailure) { return try member(device) } catch { throw .sync(error) }
  }

  /// The synchronization of a device that is in a circle and has nothing to complain of.
  private func member(_ device: LiveDevice) throws(SyncFailure) -> Synchronizer {
    guard !device.isSyncDamaged else { throw .stateWasChanged }
    guard let synchronizer = device.synchronizer else { throw .notMember }
    switch synchronizer.trouble {
    case .removed: throw .removed
    case .stateWasChanged: throw .stateWasChanged
    case .circle: throw .alarm
    case .none: break
    }
    guard synchronizer.state.membership.stage == .member else { throw .notMember }
    return synchronizer
  }

  /// Does `what` once the passcode was proven, and writes what became of it into the audit.
  ///
  /// The passcode is judged first, so that nobody learns anything of the circle by a wrong one.
  private func proven(
    _ action: String,
    on device: LiveDevice,
    _ passcode: SecretBox?,
    _ caller: Caller,
    _ body: @escaping (Result<Void, EngineError>) -> Void,
    _ what: @escaping (Synchronizer, @escaping (Result<Void, SyncFailure>) -> Void) -> Void
  ) {
    authorize(action, on: device, passcode: passcode, caller: caller) { [self] result in
      switch result {
      case .failure(let error): body(.failure(error))
      case .success(let act):
        let done: (Result<Void, SyncFailure>) -> Void = { [self] in end(act, $0, body) }
        do throws(SyncFailure) { what(try member(device), done) } catch { done(.failure(error)) }
      }
    }
  }

  private func end(
    _ act: DeviceAct,
    _ result: Result<Void, SyncFailure>,
    _ body: @escaping (Result<Void, EngineError>) -> Void
  ) {
    var line = act.audit
    switch result {
    case .success: close(&line, .success, on: act.device)
    case .failure: close(&line, .internalError, on: act.device)
    }
    runner.store([line]) { _ in body(result.mapError { .sync($0) }) }
  }
}
