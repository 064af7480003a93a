import LocalAuthCore
import LocalAuthKeychain
import LocalAuthSecret
import LocalAuthToken

/// Issuers and their keys: finding, creating, publishing and rotating them.
extension Engine {
  /// The public keys of the caller's issuer, which are made if there are none yet.
  public func assertionKeys(
    simulated: Bool,
    caller: Caller,
    then body: @escaping (Result<PublishedKeys, EngineError>) -> Void
  ) {
    withIssuer(kind(simulated: simulated), of: caller.owner, for: caller) { [self] result in
      body(result.map { published(by: $0) })
    }
  }

  /// Rotates the signing key of the caller's issuer; only its owner may.
  public func rotateAssertionKey(
    simulated: Bool,
    caller: Caller,
    then body: @escaping (Result<PublishedKeys, EngineError>) -> Void
  ) {
    let kind = kind(simulated: simulated)
    guard kind != .system || caller.uid == options.owner || caller.uid == 0 else {
      return body(.failure(.notPermitted("Only root and the service's user may replace its key.")))
    }
    withIssuer(kind, of: caller.owner, for: caller) { [self] result in
      switch result {
      case .failure(let error): body(.failure(error))
      case .success(let issuer):
        rotate(issuer, caller) { [self] in body($0.map { published(by: issuer) }) }
      }
    }
  }

  private func published(by issuer: Issuer) -> PublishedKeys {
    PublishedKeys(
      issuer: issuer.name,
      keys: JSONWebKeySet(issuer.published(at: clock.now().wall))
    )
  }

  private func kind(simulated: Bool) -> Issuer.Kind {
    simulated ? .simulated : options.servesEverybody ? .system : .user
  }

  // MARK: Finding

  /// Finds or makes the issuer that vouches for proofs on `device`.
  func withIssuer(for device: LiveDevice, _ caller: Caller, _ body: @escaping Issuer.Completion) {
    let kind = kind(simulated: device.record.isSimulated)
    withIssuer(kind, of: device.identity.owner, for: caller, body)
  }

  /// The issuer of `device`, if it is ready to sign.
  func readyIssuer(for device: LiveDevice) -> Issuer? {
    let kind = kind(simulated: device.record.isSimulated)
    return issuers[identity(of: kind, owner: device.identity.owner)]
  }

  private func identity(of kind: Issuer.Kind, owner: UInt32) -> DeviceIdentity {
    // A system has one issuer for all its users; the subject names the user.
    DeviceIdentity(owner: kind == .system ? options.owner : owner, name: kind.deviceName)
  }

  private func withIssuer(
    _ kind: Issuer.Kind,
    of owner: UInt32,
    for caller: Caller,
    _ body: @escaping Issuer.Completion
  ) {
    let identity = identity(of: kind, owner: owner)
    guard let issuer = issuers[identity] ?? makeIssuer(kind, identity) else {
      return body(.failure(Self.noIssuer))
    }
    issuers[identity] = issuer
    guard issuer.current == nil else { return body(.success(issuer)) }
    guard issuer.waiting == nil else {
      issuer.waiting?.append(body)
      return
    }
    issuer.waiting = [body]
    prepareKeychain(of: issuer, caller) { [self] result in
      switch result {
      case .failure(let error): ready(issuer, error)
      case .success: prepareKeys(of: issuer, caller)
      }
    }
  }

  private static let noIssuer = EngineError.internalError("The keys of assertions cannot be used.")

  private func makeIssuer(_ kind: Issuer.Kind, _ identity: DeviceIdentity) -> Issuer? {
    let known = devices[identity]
    let record = DeviceRecord(identity: identity, isSimulated: kind == .simulated)
    guard let device = known ?? adopt(record, isDistrusted: false) else { return nil }
    let owner = identity.owner
    let tag = digest.tag(over: Array("issuer \(kind.rawValue) \(owner)".utf8)).prefix(16)
    let name = "urn:localauth:\(kind.rawValue):\(String(hexadecimal: Array(tag)))"
    return Issuer(name: name, device: device)
  }

  /// Makes the keychain that keeps the keys, unless it exists.
  private func prepareKeychain(
    of issuer: Issuer,
    _ caller: Caller,
    _ body: @escaping Completion
  ) {
    let device = issuer.device
    runner.whenStorageWorks(device) { [self] failure in
      if let failure { return body(.failure(EngineError(failure))) }
      guard device.sealedKeybag == nil else { return body(.success(())) }
      let act = act("assertion keys create", on: device, caller: caller)
      makeKeybag(act, passcode: nil, then: body)
    }
  }

  private func prepareKeys(of issuer: Issuer, _ caller: Caller) {
    do throws(StorageError) {
      issuer.adopt(try storedKeys(of: issuer))
    } catch {
      return ready(issuer, EngineError(error))
    }
    guard issuer.current == nil else { return ready(issuer, nil) }
    rotate(issuer, caller) { [self] result in
      if case .failure(let error) = result { return ready(issuer, error) }
      ready(issuer, nil)
    }
  }

  private func ready(_ issuer: Issuer, _ error: EngineError?) {
    let waiting = issuer.waiting ?? []
    issuer.waiting = nil
    for body in waiting { body(error.map { .failure($0) } ?? .success(issuer)) }
  }

  // MARK: Keys

  private static let keysMax = 64

  /// The keys in the issuer's keychain; if several could sign, the newest does.
  private func storedKeys(of issuer: Issuer) throws(StorageError) -> [Issuer.Key] {
    var items: [Item] = []
    let device = issuer.device
    let lookup = ItemLookup(device: device.identity, itemClass: .key)
    _ = try self.items.eachItem(lookup, after: nil, limit: Self.keysMax) { stored in
      if let item = device.vault.item(stored) { items.append(item) }
      return true
    }
    let signing = items.filter { $0.value(of: .keyClass) == .number(KeyClass.private.rawValue) }
      .max { $0.identifier < $1.identifier }
    return items.compactMap { item in
      guard case .data(let publicKey)? = item.attributes[.tokenObjectID] else { return nil }
      let isSigning = item.identifier == signing?.identifier
      return key(publicKey, item.identifier, retired: isSigning ? nil : item.modified)
    }
  }

  private func key(
    _ publicKey: [UInt8],
    _ item: ItemIdentifier,
    retired: WallInstant?
  ) -> Issuer.Key? {
    let thumbprint = hash.sha256(of: JSONWebKey.thumbprintInput(of: publicKey))
    return JSONWebKey(identifier: Base64URL.encode(thumbprint), publicKey: publicKey).map {
      let header = SignedToken.header(keyIdentifier: $0.identifier)
      return Issuer.Key(item: item, web: $0, header: header, retired: retired)
    }
  }

  /// Makes a new signing key; the same commit destroys the previous one.
  private func rotate(_ issuer: Issuer, _ caller: Caller, _ body: @escaping Completion) {
    let now = clock.now().wall
    guard !issuer.isRotating else {
      return body(.failure(.limitReached("The key is being replaced just now.")))
    }
    let replaced = issuer.current
    let overlapping = issuer.overlapping(at: now).count + (replaced == nil ? 0 : 1)
    guard overlapping <= AssertionRules.overlappingMax else {
      return body(.failure(.limitReached("The key was replaced too often: wait some minutes.")))
    }
    guard let made = newKey(of: issuer, at: now) else { return body(.failure(Self.noIssuer)) }
    var changes = [ItemChange.add(made.sealed)]
    var keys = [made.key] + issuer.overlapping(at: now)
    if let replaced {
      guard let trace = trace(of: replaced, issuer, at: now) else {
        return body(.failure(Self.noIssuer))
      }
      changes += [.remove(issuer.device.identity, replaced.item), .add(trace.sealed)]
      keys.append(trace.key)
    }
    for key in issuer.outdated(at: now) {
      changes.append(.remove(issuer.device.identity, key.item))
    }
    var line = act("assertion keys rotate", on: issuer.device, caller: caller).audit
    close(&line, .success, on: issuer.device)
    line.detail = "key \(made.key.web.identifier)"
    issuer.isRotating = true
    runner.store([line], changes, .guarded) { result in
      issuer.isRotating = false
      if case .success = result { issuer.adopt(keys) }
      body(result.mapError { EngineError($0) })
    }
  }

  private func newKey(
    of issuer: Issuer,
    at now: WallInstant
  ) -> (key: Issuer.Key, sealed: SealedItem)? {
    guard let (made, data) = issuer.device.vault.makeKey(.ed25519) else { return nil }
    return sealed(issuer, made.publicKey, .private, data, at: now, retired: nil)
  }

  /// The public half of a key that no longer signs.
  private func trace(
    of key: Issuer.Key,
    _ issuer: Issuer,
    at now: WallInstant
  ) -> (key: Issuer.Key, sealed: SealedItem)? {
    sealed(issuer, key.web.publicKey, .public, nil, at: now, retired: now)
  }

  private func sealed(
    _ issuer: Issuer,
    _ publicKey: [UInt8],
    _ keyClass: KeyClass,
    _ data: SecretBox?,
    at now: WallInstant,
    retired: WallInstant?
  ) -> (key: Issuer.Key, sealed: SealedItem)? {
    let device = issuer.device
    let item = Item(
      identifier: itemIdentifiers.next(at: now, using: &random),
      itemClass: .key,
      group: AccessGroups.internalGroup,
      accessControl: AccessControl(.alwaysThisDeviceOnly),
      created: now,
      modified: now,
      attributes: [
        .keyClass: .number(keyClass.rawValue), .type: .number(KeyType.ed25519.rawValue),
        .keySizeInBits: .number(256), .effectiveKeySize: .number(256),
        .applicationTag: .data(publicKey), .tokenObjectID: .data(publicKey),
        .isExtractable: .number(0),
      ],
      hasData: data != nil
    )
    guard let key = key(publicKey, item.identifier, retired: retired),
      let classKey = device.keybag.record.classKey(of: .alwaysThisDeviceOnly),
      let sealed = device.vault.seal(item, data: data?.take(), classKey: classKey, password: nil)
    else { return nil }
    return (key, sealed)
  }

  // MARK: Signing

  /// Signs `message` with the key of `issuer`; nil if the key cannot be used.
  func signature(of message: [UInt8], by issuer: Issuer) -> [UInt8]? {
    guard let key = issuer.current else { return nil }
    if issuer.signer == nil {
      let (vault, identity) = (issuer.device.vault, issuer.device.identity)
      let opened = try? items.withItem(key.item, of: identity) { vault.signer(of: $0) }
      issuer.signer = opened.flatMap { $0 }
    }
    return issuer.signer?.sign(message)
  }
}
