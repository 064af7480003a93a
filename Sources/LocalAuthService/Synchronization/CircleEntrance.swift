import LocalAuthCore
import LocalAuthKeychain
import LocalAuthSecret
import LocalAuthSync

/// What is left to do for a device to come into a circle.
protocol CirclePlan {
  /// Who comes; nil if it is on its way already.
  var candidate: CircleCandidate? { get }
}

/// What is left to do where a device founds or joins.
enum CircleEntrance: CirclePlan {
  /// The same code began it before, and only the address is another one, if any.
  case begun(Synchronizer, movingTo: HubAddress?)
  /// All of it.
  case anew(CircleCandidate)

  var candidate: CircleCandidate? {
    if case .anew(let candidate) = self { candidate } else { nil }
  }

  /// The public halves of what the device signs with.
  var keys: PeerKeys {
    switch self {
    case .begun(let begun, _): begun.secrets.keys
    case .anew(let candidate): candidate.secrets.keys
    }
  }
}

/// What is left to do where a device comes back by a recovery key.
struct CircleRecovery: CirclePlan {
  let device: CircleCandidate
  let code: any RecoveryCode
  /// The hub, with the key's role.
  let address: HubAddress

  var candidate: CircleCandidate? { device }
}

extension Engine {
  /// What a device is told that is locked.
  static let lockedOut = "Only an unlocked device begins to be synchronized."

  /// What is left to do where a device founds.
  func founding(
    _ beginning: SyncBeginning,
    _ device: LiveDevice,
    _ code: (any JoinCode)?
  ) throws(EngineError) -> CircleEntrance {
    guard let code, let begun = begun(on: device, by: code, isFounder: true),
      !begun.mayBeginAnew || begun.state.membership.name == beginning.name
    else { return .anew(try candidate(beginning, device, code)) }
    let address = try beginning.address(code.role)
    guard begun.state.membership.address != address else { return .begun(begun, movingTo: nil) }
    guard begun.isFounding else { throw .sync(.alreadyMember) }
    return .begun(begun, movingTo: address)
  }

  /// What is left to do where a device joins.
  func joining(
    _ beginning: SyncBeginning,
    _ device: LiveDevice,
    _ code: (any JoinCode)?
  ) throws(EngineError) -> CircleEntrance {
    if let begun = begun(on: device, by: code, isFounder: false) {
      return .begun(begun, movingTo: nil)
    }
    return .anew(try candidate(beginning, device, code))
  }

  /// What is left to do where a device comes back by the recovery key that a person typed.
  func recovering(
    _ beginning: SyncBeginning,
    _ device: LiveDevice,
    _ key: SecretBox
  ) throws(EngineError) -> CircleRecovery {
    let candidate = try candidate(beginning, device, device.vault.sync.makeJoinCode())
    guard let typed = key.take(), let code = device.vault.sync.recoveryCode(typed: typed) else {
      throw .sync(.wrongCode)
    }
    return CircleRecovery(
      device: candidate,
      code: code,
      address: try beginning.address(code.role)
    )
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

  /// Refuses where a device is in a circle, or on its way by the same code.
  func requireRoom(on device: LiveDevice, for code: (any JoinCode)?) throws(EngineError) {
    guard !device.isSyncDamaged else { throw .sync(.alreadyMember) }
    guard let begun = device.synchronizer else { return }
    guard begun.isOnItsWay, code.map({ begun.mayGiveWay(to: $0.role) }) ?? true else {
      throw .sync(.alreadyMember)
    }
  }

  private func candidate(
    _ beginning: SyncBeginning,
    _ device: LiveDevice,
    _ code: (any JoinCode)?
  ) throws(EngineError) -> CircleCandidate {
    try requireRoom(on: device, for: code)
    guard let code else { throw .sync(.wrongCode) }
    let address = try beginning.address(code.role)
    guard !beginning.name.isEmpty, beginning.name.utf8.count <= PeerKeys.nameMax,
      !beginning.name.unicodeScalars.contains(where: { $0.properties.generalCategory == .control })
    else {
      throw .invalidArgument(
        "A device's name has 1 to \(PeerKeys.nameMax) bytes, and no control characters."
      )
    }
    let vault = device.vault.sync
    guard let peer = vault.makePeer(beginning.name), let password = code.password().take(),
      let sealedPassword = vault.seal(password: password)
    else { throw .refused(Outcome(.internalError)) }
    return CircleCandidate(
      name: beginning.name,
      address: address,
      code: code,
      secrets: peer.secrets,
      sealedPeer: peer.sealed,
      sealedPassword: sealedPassword
    )
  }
}

extension SyncVault {
  /// The code that a person typed; nil for anything else.
  func joinCode(in typed: SecretBox) -> (any JoinCode)? {
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
  var isOnItsWay: Bool { mayGoOn && state.membership.stage != .member }

  /// Whether it founds a circle, and the hub has not answered yet.
  var isFounding: Bool {
    guard case .founding = state.membership.stage else { return false }
    return true
  }

  /// Whether the hub can have heard nothing of a circle that this device founds.
  var mayBeginAnew: Bool { isFounding && !mayBeFounded }

  /// Whether another one may take its place, which begins by the code of this role: two of one code would be in each
  /// other's way at the hub.
  func mayGiveWay(to role: HubRole) -> Bool {
    mayBeginAnew || state.membership.address.role != role
  }

  /// Whether nothing stops it, or only a code that another one is typed instead of.
  var mayGoOn: Bool { trouble == nil || trouble == .codeWasUsed }

  /// Founds its circle at another address of the hub, unless it is there already.
  func found(
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
struct CircleCandidate {
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
