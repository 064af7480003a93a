import LocalAuthCore
import LocalAuthKeychain
public import LocalAuthSecret
public import LocalAuthSync

/// Where a device is to be synchronized, and as who.
public struct SyncBeginning {
  /// The device; nil for the default one.
  public var device: String?
  /// Whether a simulated device counts.
  public var allowsSimulated: Bool
  /// The hub without a role, as a role follows from a code.
  public var hub: (HubRole) -> HubAddress?
  /// The name that people will know the device by.
  public var name: String

  /// The beginning with these parts.
  public init(
    device: String?,
    allowsSimulated: Bool,
    hub: @escaping (HubRole) -> HubAddress?,
    name: String
  ) {
    self.device = device
    self.allowsSimulated = allowsSimulated
    self.hub = hub
    self.name = name
  }
}

/// What people do between devices.
extension Engine {
  // MARK: Beginning

  /// Founds a circle, by the code that the hub's administrator gave; done if that code founded it already.
  ///
  /// While the hub was not reached, who founds by that code once more says where the hub is, and what the device is called.
  /// After that another address is an error: the circle stays where it is.
  ///
  /// - Parameters:
  ///   - beginning: Where, and as who.
  ///   - code: What a person typed.
  ///   - caller: Who asks.
  ///   - body: Called once it is durable; the hub is told after that.
  public func foundCircle(
    _ beginning: SyncBeginning,
    code: SecretBox,
    caller: Caller,
    then body: @escaping Completion
  ) {
    do throws(EngineError) {
      let device = try device(of: beginning, caller)
      let code = device.vault.sync.joinCode(in: code)
      if let code, let begun = begun(on: device, by: code, isFounder: true),
        !begun.mayBeginAnew || begun.state.membership.name == beginning.name
      {
        let address = try address(beginning, code)
        guard begun.isFounding || begun.state.membership.address == address else {
          throw .sync(.alreadyMember)
        }
        return begun.found(at: address) { result in body(result.mapError { EngineError($0) }) }
      }
      let candidate = try candidate(beginning, device, code)
      let secrets = candidate.secrets
      let unsigned = CircleEntry(
        circle: .none,
        previous: .beginning,
        author: secrets.keys.identifier(hash),
        act: .found(secrets.keys, random: randomDigest())
      )
      guard let entry = unsigned.signed(by: secrets.signer) else {
        throw .refused(Outcome(.internalError))
      }
      let act = act("sync found", on: candidate.device, caller: caller)
      begin(candidate.membership(in: .none, .founding(entry)), secrets, act, body)
    } catch { body(.failure(error)) }
  }

  /// Asks to join the circle of the sponsor who showed this code; done if it was asked by that code already.
  ///
  /// A device that waits to be let in by another code waits no more once the hub has answered.
  ///
  /// - Parameters:
  ///   - beginning: Where, and as who.
  ///   - code: What a person typed.
  ///   - caller: Who asks.
  ///   - body: Called with the words of this device, which its sponsor sees too, once the hub has its request.
  public func joinCircle(
    _ beginning: SyncBeginning,
    code: SecretBox,
    caller: Caller,
    then body: @escaping (Result<[String], EngineError>) -> Void
  ) {
    let candidate: Candidate
    do throws(EngineError) {
      let device = try device(of: beginning, caller)
      let code = device.vault.sync.joinCode(in: code)
      if let begun = begun(on: device, by: code, isFounder: false) {
        return body(.success(begun.secrets.keys.words(hash)))
      }
      candidate = try self.candidate(beginning, device, code)
    } catch { return body(.failure(error)) }
    let link = hubs.link(to: candidate.address, password: candidate.code.password()) {}
    link.ask(.offer) { [self] reply in
      defer { link.close() }
      guard case .letter(let letter) = reply else {
        if case .failed(let error) = reply { return body(.failure(.sync(.hub(error)))) }
        return body(.failure(.sync(.wrongCode)))
      }
      guard let offer = letter.flatMap({ JoinOffer($0, candidate.code) }),
        offer.sponsor.kind == .device, let request = candidate.request(for: offer)
      else { return body(.failure(.sync(.wrongCode))) }
      let words = candidate.secrets.keys.words(hash)
      let act = act("sync join", on: candidate.device, caller: caller)
      let membership = candidate.membership(in: offer.circle, .joining(request))
      begin(membership, candidate.secrets, act) { result in body(result.map { words }) }
    }
  }

  /// Asks a circle to let this device in by its recovery key, and lets it in by that.
  ///
  /// - Parameters:
  ///   - beginning: Where, and as who.
  ///   - key: What a person typed from the paper.
  ///   - caller: Who asks.
  ///   - body: Called once the device is a member and has the keys of all zones.
  public func recoverCircle(
    _ beginning: SyncBeginning,
    key: SecretBox,
    caller: Caller,
    then body: @escaping Completion
  ) {
    do throws(EngineError) {
      let device = try device(of: beginning, caller)
      let candidate = try candidate(beginning, device, device.vault.sync.makeJoinCode())
      guard let typed = key.take(),
        let code = candidate.device.vault.sync.recoveryCode(typed: typed)
      else { throw .sync(.wrongCode) }
      let address = try address(beginning, code)
      let act = act("sync recover", on: candidate.device, caller: caller)
      let link = hubs.link(to: address, password: code.password()) {}
      let ports = SyncPorts(hash: hash, signatures: signatures)
      SyncRecovery(code, candidate.code, candidate.secrets, link, ports) { [self] result in
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
    } catch { body(.failure(error)) }
  }

  private func device(
    of beginning: SyncBeginning,
    _ caller: Caller
  ) throws(EngineError) -> LiveDevice {
    try keyedDevice(named: beginning.device, beginning.allowsSimulated, caller)
  }

  /// What this code began before on a device: who was not told so types it once more.
  private func begun(
    on device: LiveDevice,
    by code: (any JoinCode)?,
    isFounder: Bool
  ) -> Synchronizer? {
    guard let code, let synchronizer = device.synchronizer, synchronizer.mayGoOn,
      synchronizer.isFounder == isFounder,
      synchronizer.state.membership.address.role == code.role
    else { return nil }
    return synchronizer
  }

  private func candidate(
    _ beginning: SyncBeginning,
    _ device: LiveDevice,
    _ code: (any JoinCode)?
  ) throws(EngineError) -> Candidate {
    guard !device.isSyncDamaged else { throw .sync(.alreadyMember) }
    if let begun = device.synchronizer {
      guard begun.isOnItsWay, code.map({ begun.mayGiveWay(to: $0.role) }) ?? true else {
        throw .sync(.alreadyMember)
      }
    }
    try requireUnlocked(device, "Only an unlocked device begins to be synchronized.")
    let vault = device.vault.sync
    guard let code else { throw .sync(.wrongCode) }
    let address = try address(beginning, code)
    guard !beginning.name.isEmpty, beginning.name.utf8.count <= PeerKeys.nameMax,
      !beginning.name.unicodeScalars.contains(where: { $0.properties.generalCategory == .control })
    else {
      throw .invalidArgument(
        "A device's name has 1 to \(PeerKeys.nameMax) bytes, and no control characters."
      )
    }
    guard let peer = vault.makePeer(beginning.name), let password = code.password().take(),
      let sealedPassword = vault.seal(password: password)
    else { throw .refused(Outcome(.internalError)) }
    return Candidate(
      device: device,
      name: beginning.name,
      address: address,
      code: code,
      secrets: peer.secrets,
      sealedPeer: peer.sealed,
      sealedPassword: sealedPassword
    )
  }

  private func address(
    _ beginning: SyncBeginning,
    _ code: any JoinCode
  ) throws(EngineError) -> HubAddress {
    guard let address = beginning.hub(code.role) else {
      throw .invalidArgument("That is no address of a hub.")
    }
    return address
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

extension SyncVault {
  /// The code that a person typed; nil for anything else.
  fileprivate func joinCode(in typed: SecretBox) -> (any JoinCode)? {
    guard let text = typed.take() else { return nil }
    return joinCode(typed: text)
  }
}

extension Synchronizer {
  /// Whether this device founded its circle.
  var isFounder: Bool {
    switch state.membership.stage {
    case .founding: true
    case .joining: false
    case .member: state.circle.peers[me]?.since == 1
    }
  }
}

extension Synchronizer {
  /// Whether it is not in a circle yet, so that it may begin with another one.
  fileprivate var isOnItsWay: Bool { mayGoOn && state.membership.stage != .member }

  /// Whether it founds a circle, and the hub has not answered yet.
  fileprivate var isFounding: Bool {
    guard case .founding = state.membership.stage else { return false }
    return true
  }

  /// Whether the hub can have heard nothing of a circle that this device founds.
  fileprivate var mayBeginAnew: Bool { isFounding && !mayBeFounded }

  /// Whether another one may take its place, which begins by the code of this role: two of one code would be in each
  /// other's way at the hub.
  fileprivate func mayGiveWay(to role: HubRole) -> Bool {
    mayBeginAnew || state.membership.address.role != role
  }

  /// Whether nothing stops it, or only a code that another one is typed instead of.
  fileprivate var mayGoOn: Bool { trouble == nil || trouble == .codeWasUsed }

  /// Founds its circle at another address of the hub, unless it is there already.
  fileprivate func found(
    at address: HubAddress,
    then body: @escaping (Result<Void, StorageError>) -> Void
  ) {
    guard isFounding, state.membership.address != address else { return body(.success(())) }
    inTurn { _, change in
      guard case .founding = change.state.membership.stage else { return false }
      change.state.membership.address = address
      return true
    } orEnded: {
      body(.failure(.failed("the device is not synchronized any more")))
    } then: { [weak self] result in
      self?.round?.end()
      self?.unlink()
      self?.wake()
      body(result)
    }
  }
}

/// A device on its way into a circle, with everything that it needs there.
private struct Candidate {
  let device: LiveDevice
  let name: String
  let address: HubAddress
  let code: any JoinCode
  let secrets: any PeerSecrets
  let sealedPeer: [UInt8]
  let sealedPassword: [UInt8]

  func membership(in circle: SyncDigest, _ stage: SyncMembership.Stage) -> SyncMembership {
    SyncMembership(
      at: address,
      sealedPassword: sealedPassword,
      name: name,
      sealedPeer: sealedPeer,
      circle: circle,
      stage: stage
    )
  }

  /// What it asks its sponsor; nil if it cannot sign.
  func request(for offer: JoinOffer) -> JoinRequest? {
    let consent = Voucher.consent(
      to: offer.circle,
      invitation: offer.invitation,
      joiner: secrets.keys,
      sponsor: offer.sponsor
    )
    guard let signature = secrets.signer.sign(consent) else { return nil }
    func request(_ tag: [UInt8]) -> JoinRequest {
      JoinRequest(
        invitation: offer.invitation,
        keys: secrets.keys,
        consent: signature,
        tag: tag
      )
    }
    return request(code.tag(over: request([]).authenticated))
  }
}
