import LocalAuthCore
import LocalAuthKeychain
public import LocalAuthSecret
public import LocalAuthSync

/// What people do in a circle that their device is in.
extension Engine {
  // MARK: The circle

  /// How the synchronization of the caller's device stands.
  public func syncReport(of request: CallerDevice) throws(EngineError) -> SyncReport {
    let device = try keyedDevice(request)
    return try synchronizer(of: device).report
  }

  /// Begins a round with the hub; `body` is called when it has ended.
  ///
  /// Before the first unlock nothing can be exchanged, which is an error.
  public func synchronize(
    _ request: CallerDevice,
    then body: @escaping (Result<SyncReport, EngineError>) -> Void
  ) {
    onKeyedDevice(request, body) { [self] device throws(EngineError) in
      let synchronizer = try synchronizer(of: device)
      // Whoever asks the hub no more is told why instead.
      guard synchronizer.trouble != nil || device.vault.sync.isOpen else { throw Self.closed }
      synchronizer.synchronize { body(.success(synchronizer.report)) }
    }
  }

  /// Opens an invitation; `body` gets the code to show.
  public func inviteDevice(
    _ request: CallerDevice,
    then body: @escaping (Result<SecretBox, EngineError>) -> Void
  ) {
    onKeyedDevice(request, body) { [self] device throws(EngineError) in
      let member = try member(device)
      try requireUnlocked(device, "Only an unlocked device invites others.")
      member.invite { body($0.mapError { .sync($0) }) }
    }
  }

  /// Looks whether a device answered the open invitation; `body` gets its name and words, or nil.
  public func answeringDevice(
    _ request: CallerDevice,
    then body: @escaping (Result<SyncReport.Answering?, EngineError>) -> Void
  ) {
    onKeyedDevice(request, body) { [self] device throws(EngineError) in
      let member = try member(device)
      member.lookForRequest { body($0.mapError { .sync($0) }) }
    }
  }

  /// Lets the device in that answered the open invitation, after the owner approved it with a finger or the passcode.
  ///
  /// - Parameters:
  ///   - request: The device that lets it in.
  ///   - peer: The device that the person compared; nil for the one that answers now. Another one is not let in.
  ///   - proof: How the owner proves to be that.
  ///   - policy: A policy that has to be proven besides; nil for none.
  ///   - body: Gets whether the device is in.
  public func approveDevice(
    _ request: CallerDevice,
    comparing peer: PeerIdentifier? = nil,
    by proof: OwnersProof,
    under policy: String? = nil,
    then body: @escaping Completion
  ) {
    onKeyedDevice(request, body) { [self] device throws(EngineError) in
      // A locked one could not pass on the keys, and the other would be in the circle without them.
      try requireUnlocked(device, "Only an unlocked device lets others in.")
      // What is approved is what is shown now, whoever answers while the person is asked.
      let shown = device.synchronizer?.shownJoiner
      if let peer, let shown, shown.device.identifier != peer { throw .sync(.otherDevice) }
      let decision = CircleDecision.approve(shown?.device, under: policy)
      if asks(decision, device, proof) {
        _ = try member(device)
        guard shown != nil else { throw .sync(.noInvitation) }
      }
      proven(decision, on: device, by: proof, request.caller, body) { $0.approve(shown, then: $1) }
    }
  }

  /// Ends the open invitation.
  public func declineDevice(_ request: CallerDevice) throws(EngineError) {
    let device = try keyedDevice(request)
    try member(device).decline()
  }

  /// Removes a device from the circle, after the owner's proof.
  public func removePeer(
    _ peer: PeerIdentifier,
    _ request: CallerDevice,
    by proof: OwnersProof,
    then body: @escaping Completion
  ) {
    onKeyedDevice(request, body) { [self] device in
      let circle = device.synchronizer?.state.circle
      let known = circle.flatMap { $0.member(peer, at: $0.head.number) }
      let decision = CircleDecision.remove(peer, known, hash)
      proven(decision, on: device, by: proof, request.caller, body) { synchronizer, done in
        let circle = synchronizer.state.circle
        guard circle.member(peer, at: circle.head.number) != nil else {
          return done(.failure(.noSuchPeer))
        }
        guard peer != synchronizer.me else { return done(.failure(.lastMember)) }
        synchronizer.removePeer(peer, then: done)
      }
    }
  }

  /// Has everything that is written from now on sealed with new keys, and what is there sealed anew, after the owner's
  /// proof.
  public func rollKeys(
    _ request: CallerDevice,
    by proof: OwnersProof,
    then body: @escaping Completion
  ) {
    onKeyedDevice(request, body) { [self] device throws(EngineError) in
      try requireUnlocked(device, "Only an unlocked device makes new keys.")
      proven(.roll, on: device, by: proof, request.caller, body) { $0.rollAll(then: $1) }
    }
  }

  /// Accepts that the hub of the caller's device lost entries, after the owner's proof: what the device holds is sent again
  /// and merged.
  public func repairSynchronization(
    _ request: CallerDevice,
    by proof: OwnersProof,
    then body: @escaping Completion
  ) {
    onKeyedDevice(request, body) { [self] device in
      proven(.repair, on: device, by: proof, request.caller, body) { $0.repair(then: $1) }
    }
  }

  /// Forgets the circle on the caller's device, after the owner's proof; its items stay.
  public func leaveCircle(
    _ request: CallerDevice,
    by proof: OwnersProof,
    then body: @escaping Completion
  ) {
    onKeyedDevice(request, body) { [self] device in
      authorize(.leave, on: device, by: proof, of: request.caller) { [self] in
        whenProven($0, body) { act, ending in
          guard device.synchronizer != nil || device.isSyncDamaged || device.keptWatermarks != nil
          else { return end(act, .failure(.sync(.notMember)), body) }
          var line = act.audit
          close(&line, .success, on: device)
          forgetCircle(of: device, [line], ending)
        }
      }
    }
  }

  /// Forgets all that a device keeps of its circle, in one commit with these lines of the audit.
  ///
  /// - Parameters:
  ///   - device: The device.
  ///   - lines: The lines.
  ///   - isMeant: Whether it is still to be forgotten, asked in the device's turn; otherwise nothing changes.
  ///   - body: Gets whether it is forgotten; `alreadyMember` if it was not meant.
  func forgetCircle(
    of device: LiveDevice,
    _ lines: [AuditRecord] = [],
    where isMeant: @escaping () -> Bool = { true },
    _ body: @escaping Completion
  ) {
    device.mutations.enter { [self] in
      let end: (Result<Void, EngineError>) -> Void = { result in
        device.mutations.leave()
        body(result)
      }
      guard isMeant() else { return end(.failure(.sync(.alreadyMember))) }
      guard let rows = try? items.syncRows(of: device.identity) else {
        return end(.failure(.unwritable(device)))
      }
      let removals = rows.map {
        StateChange.syncRow(device.identity, SealedRow(name: $0.name, sealed: nil))
      }
      let changes =
        removals + [.watermarks(device.identity, nil)] + lines.map { StateChange.audit($0) }
      runner.store(changes, [], .guarded) { result in
        if case .success = result { device.endSynchronization() }
        end(result.mapError { EngineError($0) })
      }
    }
  }

  /// The synchronization of a device.
  func synchronizer(of device: LiveDevice) throws(EngineError) -> Synchronizer {
    guard !device.isSyncDamaged else { throw .sync(.stateWasChanged) }
    if let synchronizer = device.synchronizer { return synchronizer }
    // Whoever is told that there is no circle founds another one.
    guard device.keptWatermarks != nil else { throw .sync(.notMember) }
    throw Self.closed
  }

  /// What whoever asks before the first unlock is told.
  private static var closed: EngineError {
    let detail =
      "What the device keeps of its circle is closed until it is unlocked for the first time."
    return .refused(Outcome(.itemLocked, detail: detail))
  }

  /// The synchronization of a device that is in a circle and has nothing to complain of.
  func member(_ device: LiveDevice) throws(EngineError) -> Synchronizer {
    let synchronizer = try synchronizer(of: device)
    switch synchronizer.trouble {
    case .removed: throw .sync(.removed)
    case .stateWasChanged: throw .sync(.stateWasChanged)
    case .circle: throw .sync(.alarm)
    case .codeWasUsed, .none: break
    }
    guard synchronizer.state.membership.stage == .member else { throw .sync(.onItsWay) }
    return synchronizer
  }

  /// Does `what` once the owner has proven to be that, and writes what became of it into the audit.
  ///
  /// The proof comes first, so that nobody learns anything of the circle by a wrong one.
  func proven<Value>(
    _ decision: CircleDecision,
    on device: LiveDevice,
    by proof: OwnersProof,
    _ caller: Caller,
    _ body: @escaping (Result<Value, EngineError>) -> Void,
    _ what: @escaping (Synchronizer, @escaping (Result<Value, SyncFailure>) -> Void) -> Void
  ) {
    authorize(decision, on: device, by: proof, of: caller) { [self] result in
      switch result {
      case .failure(let error): body(.failure(error))
      case .success(let act):
        do throws(EngineError) {
          what(try member(device)) { [self] in end(act, $0.mapError { .sync($0) }, body) }
        } catch { end(act, .failure(error), body) }
      }
    }
  }

  /// Ends the line of an act in the audit as its result says, and passes that on.
  func end<Value>(
    _ act: DeviceAct,
    _ result: Result<Value, EngineError>,
    _ body: @escaping (Result<Value, EngineError>) -> Void
  ) {
    if case .failure(let error) = result { return refuse(act, error, body) }
    var line = act.audit
    close(&line, .success, on: act.device)
    runner.store([line]) { _ in body(result) }
  }
}
