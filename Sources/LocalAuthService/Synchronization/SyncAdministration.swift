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
  /// - Throws: ``EngineError``.
  public func foundCircle(
    _ beginning: SyncBeginning,
    code: SecretBox,
    caller: Caller,
    then body: @escaping (Result<Void, EngineError>) -> Void
  ) throws(EngineError) {
    let device = try deviceOutsideCircles(beginning, caller)
    guard let typed = code.take(), let code = device.vault.sync.joinCode(typed: typed) else {
      throw .sync(.wrongCode)
    }
    guard let address = beginning.hub(code.role) else {
      throw .invalidArgument("That is no address of a hub.")
    }
    let (secrets, sealedPeer) = try makePeer(beginning.name, on: device)
    let unsigned = CircleEntry(
      circle: .none,
      previous: .beginning,
      author: secrets.keys.identifier(hash),
      act: .found(secrets.keys, random: randomSyncDigest())
    )
    guard let entry = unsigned.signed(by: secrets.signer), let password = code.password().take(),
      let sealedPassword = device.vault.sync.seal(password: password)
    else { throw .refused(Outcome(.internalError)) }
    let membership = SyncMembership(
      at: address,
      sealedPassword: sealedPassword,
      name: beginning.name,
      sealedPeer: sealedPeer,
      circle: .none,
      stage: .founding(entry)
    )
    begin(membership, secrets, act("sync found", on: device, caller: caller), body)
  }

  /// Asks to join the circle of the sponsor who showed this code.
  ///
  /// - Parameters:
  ///   - beginning: Where, and as who.
  ///   - code: What a person typed.
  ///   - caller: Who asks.
  ///   - body: Called with the words of this device, which its sponsor sees too, once the hub has its request.
  /// - Throws: ``EngineError``.
  public func joinCircle(
    _ beginning: SyncBeginning,
    code: SecretBox,
    caller: Caller,
    then body: @escaping (Result<[String], EngineError>) -> Void
  ) throws(EngineError) {
    let device = try deviceOutsideCircles(beginning, caller)
    guard let typed = code.take(), let code = device.vault.sync.joinCode(typed: typed) else {
      throw .sync(.wrongCode)
    }
    guard let address = beginning.hub(code.role) else {
      throw .invalidArgument("That is no address of a hub.")
    }
    let (secrets, sealedPeer) = try makePeer(beginning.name, on: device)
    guard let password = code.password().take(),
      let sealedPassword = device.vault.sync.seal(password: password)
    else { throw .refused(Outcome(.internalError)) }
    let link = hubs.link(to: address, password: code.password()) {}
    link.ask(.offer) { [self] reply in
      defer { link.close() }
      guard case .letter(let letter) = reply else {
        if case .failed(let error) = reply { return body(.failure(.sync(.hub(error)))) }
        return body(.failure(.sync(.wrongCode)))
      }
      guard let offer = letter.flatMap({ JoinOffer($0, code) }),
        let request = request(for: offer, secrets, code)
      else { return body(.failure(.sync(.wrongCode))) }
      let membership = SyncMembership(
        at: address,
        sealedPassword: sealedPassword,
        name: beginning.name,
        sealedPeer: sealedPeer,
        circle: offer.circle,
        stage: .joining(request)
      )
      let words = FingerprintWords.words(secrets.keys.digest(hash), count: 6)
      begin(membership, secrets, act("sync join", on: device, caller: caller)) { result in
        body(result.map { words })
      }
    }
  }

  private func request(
    for offer: JoinOffer,
    _ secrets: any PeerSecrets,
    _ code: any JoinCode
  ) -> JoinRequest? {
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

  private func deviceOutsideCircles(
    _ beginning: SyncBeginning,
    _ caller: Caller
  ) throws(EngineError) -> LiveDevice {
    let device = try keyedDevice(
      named: beginning.device,
      beginning.allowsSimulated,
      caller
    )
    guard device.synchronizer == nil, !device.isSyncDamaged else { throw .sync(.alreadyMember) }
    try requireUnlocked(device, "Only an unlocked device begins to be synchronized.")
    return device
  }

  private func makePeer(
    _ name: String,
    on device: LiveDevice
  ) throws(EngineError) -> (secrets: any PeerSecrets, sealed: [UInt8]) {
    guard !name.isEmpty, name.utf8.count <= PeerKeys.nameMax else {
      throw .invalidArgument("A device's name has 1 to \(PeerKeys.nameMax) bytes.")
    }
    guard let made = device.vault.sync.makePeer(name) else {
      throw .refused(Outcome(.internalError))
    }
    return made
  }

  private func randomSyncDigest() -> SyncDigest {
    let bytes = (0..<32).map { _ in UInt8.random(in: .min ... .max, using: &random) }
    guard let digest = SyncDigest(bytes) else { preconditionFailure("a digest has 32 bytes") }
    return digest
  }

  private func begin(
    _ membership: SyncMembership,
    _ secrets: any PeerSecrets,
    _ act: DeviceAct,
    _ body: @escaping (Result<Void, EngineError>) -> Void
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
