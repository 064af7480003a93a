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

  /// Founds a circle, by the code that the hub's administrator gave.
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
      let candidate = try candidate(beginning, code, caller)
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

  /// Asks to join the circle of the sponsor who showed this code.
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
      candidate = try self.candidate(beginning, code, caller)
    } catch { return body(.failure(error)) }
    let link = hubs.link(to: candidate.address, password: candidate.code.password()) {}
    link.ask(.offer) { [self] reply in
      defer { link.close() }
      guard case .letter(let letter) = reply else {
        if case .failed(let error) = reply { return body(.failure(.sync(.hub(error)))) }
        return body(.failure(.sync(.wrongCode)))
      }
      guard let offer = letter.flatMap({ JoinOffer($0, candidate.code) }),
        let request = candidate.request(for: offer)
      else { return body(.failure(.sync(.wrongCode))) }
      let words = FingerprintWords.words(candidate.secrets.keys.digest(hash), count: 6)
      let act = act("sync join", on: candidate.device, caller: caller)
      let membership = candidate.membership(in: offer.circle, .joining(request))
      begin(membership, candidate.secrets, act) { result in body(result.map { words }) }
    }
  }

  private func candidate(
    _ beginning: SyncBeginning,
    _ code: SecretBox,
    _ caller: Caller
  ) throws(EngineError) -> Candidate {
    let device = try keyedDevice(named: beginning.device, beginning.allowsSimulated, caller)
    guard device.synchronizer == nil, !device.isSyncDamaged else { throw .sync(.alreadyMember) }
    try requireUnlocked(device, "Only an unlocked device begins to be synchronized.")
    let vault = device.vault.sync
    guard let typed = code.take(), let code = vault.joinCode(typed: typed) else {
      throw .sync(.wrongCode)
    }
    guard let address = beginning.hub(code.role) else {
      throw .invalidArgument("That is no address of a hub.")
    }
    guard !beginning.name.isEmpty, beginning.name.utf8.count <= PeerKeys.nameMax else {
      throw .invalidArgument("A device's name has 1 to \(PeerKeys.nameMax) bytes.")
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

  func randomDigest() -> SyncDigest {
    let bytes = (0..<32).map { _ in UInt8.random(in: .min ... .max, using: &random) }
    guard let digest = SyncDigest(bytes) else { preconditionFailure("a digest has 32 bytes") }
    return digest
  }

  private func begin(
    _ membership: SyncMembership,
    _ secrets: any PeerSecrets,
    _ act: DeviceAct,
    _ body: @escaping Completion
  ) {
    let device = act.device
    guard device.synchronizer == nil else { return body(.failure(.sync(.alreadyMember))) }
    let state = Synchronizer.State(membership: membership)
    let synchronizer = Synchronizer(self, device, secrets, state)
    device.synchronizer = synchronizer
    var line = act.audit
    close(&line, .success, on: device)
    let closed = line
    synchronizer.inTurn { _, change in
      change.lines = [closed]
      return true
    } then: { result in
      if case .failure(let error) = result {
        device.synchronizer = nil
        return body(.failure(EngineError(error)))
      }
      synchronizer.begin()
      body(.success(()))
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
