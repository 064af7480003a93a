import LocalAuthCore
import LocalAuthKeychain
public import LocalAuthSecret
public import LocalAuthSync

/// Where a device is to be synchronized, and as who.
public struct SyncBeginning {
  /// The hub without a role, as a role follows from a code.
  public var hub: (HubRole) -> HubAddress?
  /// The name that people will know the device by.
  public var name: String
  /// A policy that has to be proven besides that of the owner; nil for none.
  public var policy: String?

  /// The beginning with these parts.
  public init(hub: @escaping (HubRole) -> HubAddress?, name: String, policy: String? = nil) {
    self.hub = hub
    self.name = name
    self.policy = policy
  }

  /// The address for a role.
  ///
  /// - Throws: ``EngineError`` for what is no address.
  func address(_ role: HubRole = .nobody) throws(EngineError) -> HubAddress {
    guard let address = hub(role) else {
      throw .invalidArgument("That is no address of a hub.")
    }
    return address
  }
}

/// How a device comes into a circle.
///
/// A circle gets everything that is synchronized, so the owner proves to be that before anything is begun and before the hub
/// hears of it. The keys whose words a prompt has are gone where nobody proves it.
extension Engine {
  /// Founds a circle, by the code that the hub's administrator gave; done if that code founded it already.
  ///
  /// While the hub was not reached, who founds by that code once more says where the hub is, and what the device is called.
  /// After that another address is an error: the circle stays where it is.
  ///
  /// - Parameters:
  ///   - beginning: Where, and as who.
  ///   - code: What a person typed.
  ///   - request: The device.
  ///   - proof: How the owner proves to be that.
  ///   - body: Called once it is durable; the hub is told after that.
  public func foundCircle(
    _ beginning: SyncBeginning,
    code: SecretBox,
    _ request: CallerDevice,
    by proof: OwnersProof,
    then body: @escaping Completion
  ) {
    onKeyedDevice(request, body) { [self] device throws(EngineError) in
      let (host, code) = (try beginning.address().host, device.vault.sync.joinCode(in: code))
      let entrance = Result { () throws(EngineError) in try founding(beginning, device, code) }
      if case .success(.begun(_, movingTo: nil)) = entrance, proof.passcode == nil {
        return body(.success(()))
      }
      let decision = CircleDecision.found(at: host, as: beginning.name, under: beginning.policy)
      try enter(entrance, decision, on: device, by: proof, request.caller, body) { [self] in
        found($0, $1, body)
      }
    }
  }

  private func found(
    _ entrance: CircleEntrance,
    _ act: DeviceAct,
    _ body: @escaping Completion
  ) {
    switch entrance {
    case .begun(let begun, let address):
      // The hub may have been reached while the person was asked.
      guard let address, begun.isFounding else {
        return end(act, address == nil ? .success(()) : .failure(.sync(.alreadyMember)), body)
      }
      begun.found(at: address) { [self] result in
        end(act, result.mapError { EngineError($0) }, body)
      }
    case .anew(let candidate):
      guard let entry = founding(candidate) else {
        return refuse(act, .refused(Outcome(.internalError)), body)
      }
      let membership = candidate.membership(in: .none, .founding(entry))
      begin(membership, candidate.secrets, act, ending(act, body))
    }
  }

  /// The entry that founds a circle; nil if it cannot be signed.
  private func founding(_ candidate: CircleCandidate) -> CircleEntry? {
    let secrets = candidate.secrets
    return CircleEntry(
      circle: .none,
      previous: .beginning,
      author: secrets.keys.identifier(hash),
      act: .found(secrets.keys, random: randomDigest())
    ).signed(by: secrets.signer)
  }

  /// Asks to join the circle of the sponsor who showed this code; done if it was asked by that code already.
  ///
  /// A device that waits to be let in by another code waits no more once the hub has answered.
  ///
  /// - Parameters:
  ///   - beginning: Where, and as who.
  ///   - code: What a person typed.
  ///   - request: The device.
  ///   - proof: How the owner proves to be that.
  ///   - body: Called with the words of this device, which its sponsor sees too, once the hub has its request.
  public func joinCircle(
    _ beginning: SyncBeginning,
    code: SecretBox,
    _ request: CallerDevice,
    by proof: OwnersProof,
    then body: @escaping (Result<[String], EngineError>) -> Void
  ) {
    onKeyedDevice(request, body) { [self] device throws(EngineError) in
      let (host, code) = (try beginning.address().host, device.vault.sync.joinCode(in: code))
      let entrance = Result { () throws(EngineError) in try joining(beginning, device, code) }
      let words = (try? entrance.get())?.keys.words(hash) ?? []
      if case .success(.begun) = entrance, proof.passcode == nil { return body(.success(words)) }
      let decision = CircleDecision.join(
        at: host,
        as: beginning.name,
        words,
        under: beginning.policy
      )
      try enter(entrance, decision, on: device, by: proof, request.caller, body) { [self] in
        guard case .anew(let candidate) = $0 else { return end($1, .success(words), body) }
        join(candidate, $1, ending($1) { body($0.map { words }) })
      }
    }
  }

  private func join(
    _ candidate: CircleCandidate,
    _ act: DeviceAct,
    _ body: @escaping Completion
  ) {
    let link = hubs.link(
      for: act.device.identity.owner,
      to: candidate.address,
      password: candidate.code.password()
    ) { _ in }
    link.ask(.offer) { [self] reply in
      defer { link.close() }
      guard case .letter(let letter) = reply else {
        if case .failed(let error) = reply { return body(.failure(.sync(.hub(error)))) }
        return body(.failure(.sync(.wrongCode)))
      }
      guard let offer = letter.flatMap({ JoinOffer($0, candidate.code) }),
        offer.sponsor.kind == .device, let request = candidate.request(for: offer)
      else { return body(.failure(.sync(.wrongCode))) }
      let membership = candidate.membership(in: offer.circle, .joining(request))
      begin(membership, candidate.secrets, act, body)
    }
  }

  /// Asks a circle to let this device in by its recovery key, and lets it in by that.
  ///
  /// - Parameters:
  ///   - beginning: Where, and as who.
  ///   - key: What a person typed from the paper.
  ///   - request: The device.
  ///   - proof: How the owner proves to be that.
  ///   - body: Called once the device is a member and has the keys of all zones.
  public func recoverCircle(
    _ beginning: SyncBeginning,
    key: SecretBox,
    _ request: CallerDevice,
    by proof: OwnersProof,
    then body: @escaping Completion
  ) {
    onKeyedDevice(request, body) { [self] device throws(EngineError) in
      let host = try beginning.address().host
      let recovery = Result { () throws(EngineError) in try recovering(beginning, device, key) }
      let decision = CircleDecision.recover(at: host, as: beginning.name, under: beginning.policy)
      try enter(recovery, decision, on: device, by: proof, request.caller, body) { [self] in
        recover($0, $1, ending($1, body))
      }
    }
  }

  private func recover(
    _ recovery: CircleRecovery,
    _ act: DeviceAct,
    _ body: @escaping Completion
  ) {
    let candidate = recovery.device
    let link = hubs.link(
      for: act.device.identity.owner,
      to: recovery.address,
      password: recovery.code.password()
    ) { _ in }
    let ports = SyncPorts(hash: hash, signatures: signatures)
    SyncRecovery(recovery.code, candidate.code, candidate.secrets, link, ports) {
      [self] result in
      switch result {
      case .failure(let failure): body(.failure(.sync(failure)))
      case .success(let recovered):
        let membership = candidate.membership(in: recovered.circle, .member)
        begin(membership, candidate.secrets, act, body) { synchronizer, change in
          // They were verified a moment ago.
          try? synchronizer.append(recovered.entries, to: &change)
          for (zone, keys) in recovered.keys { synchronizer.add(keys, of: zone, to: &change) }
        }
      }
    }.begin()
  }

  /// Does `what` with a plan once the owner has proven to be that.
  ///
  /// Nobody is asked about what cannot be, and a wrong passcode tells nobody what can.
  private func enter<Plan: CirclePlan, Value>(
    _ plan: Result<Plan, EngineError>,
    _ decision: CircleDecision,
    on device: LiveDevice,
    by proof: OwnersProof,
    _ caller: Caller,
    _ body: @escaping (Result<Value, EngineError>) -> Void,
    _ what: @escaping (Plan, DeviceAct) -> Void
  ) throws(EngineError) {
    try requireUnlocked(device, Self.lockedOut)
    if asks(decision, device, proof) { _ = try plan.get() }
    authorize(decision, on: device, by: proof, of: caller) { [self] in
      whenProven($0, body) { [self] act, ending in
        do throws(EngineError) {
          // It may have been locked, or have begun by another call, while the person was asked.
          try requireUnlocked(device, Self.lockedOut)
          let plan = try plan.get()
          if let candidate = plan.candidate { try requireRoom(on: device, for: candidate.code) }
          what(plan, act)
        } catch { ending(.failure(error)) }
      }
    }
  }

  func randomDigest() -> SyncDigest {
    let bytes = (0..<32).map { _ in UInt8.random(in: .min ... .max, using: &random) }
    guard let digest = SyncDigest(bytes) else { preconditionFailure("a digest has 32 bytes") }
    return digest
  }

  private func begin(
    _ membership: SyncMembership,
    _ secrets: any PeerSecrets,
    _ act: DeviceAct,
    _ body: @escaping Completion,
    with first: @escaping (Synchronizer, inout Synchronizer.Change) -> Void = { _, _ in }
  ) {
    let device = act.device
    if let begun = device.synchronizer {
      guard begun.isOnItsWay else { return body(.failure(.sync(.alreadyMember))) }
      // Whoever is killed in between is in no circle and begins once more. It may be let in before its turn comes, and
      // then a circle is left by the passcode alone.
      let isMeant = {
        device.synchronizer === begun && begun.isOnItsWay
          && begun.mayGiveWay(to: membership.address.role)
      }
      return forgetCircle(of: device, where: isMeant) { [self] result in
        guard case .success = result else { return body(result) }
        begin(membership, secrets, act, body, with: first)
      }
    }
    // While the hub was asked the device may have been deleted, or erased and have other keys.
    guard devices[device.identity] === device,
      device.vault.sync.openPeer(membership.sealedPeer, membership.name) != nil
    else { return body(.failure(.sync(.notStored))) }
    let state = Synchronizer.State(membership: membership)
    let synchronizer = Synchronizer(self, device, secrets, state)
    synchronizer.mayBeFounded = false
    device.synchronizer = synchronizer
    var line = act.audit
    close(&line, .success, on: device)
    let closed = line
    // The device was deleted, or erased, and may have begun anew.
    let ended = { body(.failure(device.machine.isRemoved ? .gone(device) : .sync(.notStored))) }
    synchronizer.inTurn { this, change in
      first(this, &change)
      change.lines = [closed]
      return true
    } orEnded: {
      ended()
    } then: { result in
      if case .failure(let error) = result {
        guard device.synchronizer === synchronizer else { return ended() }
        device.endSynchronization()
        return body(.failure(EngineError(error)))
      }
      synchronizer.begin()
      body(.success(()))
    }
  }
}
