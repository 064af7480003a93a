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
    let synchronizer = try member(name, allowsSimulated, caller)
    guard synchronizer.sponsoring?.asked != nil else { throw .sync(.noInvitation) }
    proven("sync approve", synchronizer, passcode, caller, body) { done in
      synchronizer.approve { done($0.mapError { .sync($0) }) }
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
    let synchronizer = try member(name, allowsSimulated, caller)
    let circle = synchronizer.state.circle
    guard circle.member(peer, at: circle.head.number) != nil else { throw .sync(.noSuchPeer) }
    guard peer != synchronizer.me else { throw .sync(.lastMember) }
    proven("sync remove", synchronizer, passcode, caller, body) { done in
      synchronizer.removePeer(peer) { done($0.mapError { .sync($0) }) }
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
    let synchronizer = try member(name, allowsSimulated, caller)
    proven("sync repair", synchronizer, passcode, caller, body) { done in
      synchronizer.repair { done($0.mapError { .sync($0) }) }
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
    guard device.synchronizer != nil || device.isSyncDamaged else { throw .sync(.notMember) }
    authorize("sync leave", on: device, passcode: passcode, caller: caller) { [self] result in
      switch result {
      case .failure(let error): body(.failure(error))
      case .success(let act): leave(act, body)
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
    let synchronizer = try synchronizer(of: name, allowsSimulated: allowsSimulated, caller)
    switch synchronizer.trouble {
    case .removed: throw .sync(.removed)
    case .stateWasChanged: throw .sync(.stateWasChanged)
    case .circle: throw .sync(.alarm)
    case .none: break
    }
    guard synchronizer.state.membership.stage == .member else { throw .sync(.notMember) }
    return synchronizer
  }

  /// Does `what` once the passcode was proven, and writes what became of it into the audit.
  private func proven(
    _ action: String,
    _ synchronizer: Synchronizer,
    _ passcode: SecretBox?,
    _ caller: Caller,
    _ body: @escaping (Result<Void, EngineError>) -> Void,
    _ what: @escaping (@escaping (Result<Void, EngineError>) -> Void) -> Void
  ) {
    let device = synchronizer.device
    authorize(action, on: device, passcode: passcode, caller: caller) { [self] result in
      switch result {
      case .failure(let error): body(.failure(error))
      case .success(let act):
        what { [self] result in
          var line = act.audit
          switch result {
          case .success: close(&line, .success, on: device)
          case .failure: close(&line, .internalError, on: device)
          }
          runner.store([line]) { _ in body(result) }
        }
      }
    }
  }
}
