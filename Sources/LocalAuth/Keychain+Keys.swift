import LocalAuthClient
public import LocalAuthKeychain
public import LocalAuthSecret

/// Private keys that are made in the keychain and never leave it.
extension Keychain {
  /// Makes a private key.
  ///
  /// - Parameters:
  ///   - curve: what it is for.
  ///   - label: what a person calls it.
  ///   - tag: by what the program finds it again.
  ///   - accessControl: what must be proven before it is used, with the flag `privateKeyUsage`; nil for
  ///     a key that is used without, while the device is unlocked.
  /// - Returns: its item, with ``ItemAttributes/publicKey``.
  /// - Throws: ``KeychainFailure``.
  @discardableResult
  public func generateKey(
    _ curve: KeyCurve = .p256,
    label: String? = nil,
    tag: [UInt8]? = nil,
    accessControl: AccessControl? = nil
  ) async throws(KeychainFailure) -> KeychainItem {
    var item = NewKeychainItem(.key)
    item.keyType = curve.keyType
    item.label = label
    item.applicationTag = tag
    item.accessControl = accessControl
    item.group = accessGroup
    let dictionary = item.dictionary
    return try await perform { (session) throws(KeychainFailure) in
      try KeychainItem(try session.generateKey(dictionary))
    }
  }

  /// Has a private key sign.
  ///
  /// - Parameters:
  ///   - message: a message or its digest, as the algorithm says.
  ///   - query: which key; the first that matches.
  ///   - algorithm: how.
  /// - Returns: the signature; of ECDSA in the DER of X9.62, of EdDSA 64 bytes.
  /// - Throws: ``KeychainFailure/itemNotFound``; ``KeychainFailure/authentication(_:)`` where the key asks
  ///   for proof and there is none; ``KeychainFailure/refused(_:_:)`` where it cannot do that.
  public func sign(
    _ message: [UInt8],
    withKey query: KeychainQuery,
    _ algorithm: KeyAlgorithm
  ) async throws(KeychainFailure) -> [UInt8] {
    let query = grouped(query)
    return try await perform { (session) throws(KeychainFailure) in
      try session.sign(message, algorithm, query.selection, reason: query.reason)
    }
  }

  /// Has a private key agree on a secret with the owner of another key.
  ///
  /// - Parameters:
  ///   - publicKey: the other side's, see ``ItemAttributes/publicKey``.
  ///   - query: which key; the first that matches.
  ///   - algorithm: how.
  ///   - size: how many bytes are derived, where the algorithm derives a key; nil for 32.
  ///   - sharedInfo: what goes into the derivation besides.
  /// - Returns: the secret.
  /// - Throws: as ``sign(_:withKey:_:)``.
  public func sharedSecret(
    with publicKey: [UInt8],
    key query: KeychainQuery,
    _ algorithm: KeyAlgorithm = .ecdhKeyExchangeStandardX963SHA256,
    size: Int? = nil,
    sharedInfo: [UInt8] = []
  ) async throws(KeychainFailure) -> Secret {
    let query = grouped(query)
    let box = try await perform { (session) throws(KeychainFailure) in
      try session.exchange(
        publicKey,
        algorithm,
        size: size,
        sharedInfo: sharedInfo,
        query.selection,
        reason: query.reason
      )
    }
    guard let secret = box.take() else {
      throw .service(.internalError("a shared secret was taken before"))
    }
    return secret
  }
}
