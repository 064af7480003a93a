import LocalAuthClient
public import LocalAuthKeychain
public import LocalAuthSecret

/// Private keys that are generated in the keychain and never leave it.
extension Keychain {
  /// Generates a private key.
  ///
  /// - Parameters:
  ///   - curve: the key's curve.
  ///   - label: its name for people.
  ///   - tag: the program's own name for it.
  ///   - accessControl: the proof required for its use, with the flag `privateKeyUsage`; nil for a
  ///     key usable without proof while the device is unlocked.
  /// - Returns: the key's item, with ``ItemAttributes/publicKey``.
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

  /// Signs with a private key.
  ///
  /// - Parameters:
  ///   - message: a message or its digest, as the algorithm requires.
  ///   - query: the key; the first that matches is used.
  ///   - algorithm: the signature algorithm.
  /// - Returns: the signature: DER of X9.62 for ECDSA, 64 bytes for EdDSA.
  /// - Throws: ``KeychainFailure/itemNotFound``; ``KeychainFailure/authentication(_:)`` if the
  ///   proof that the key requires is not given; ``KeychainFailure/refused(_:_:)`` if the key does
  ///   not support the operation.
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

  /// Agrees on a secret with the owner of another key, using a private key.
  ///
  /// - Parameters:
  ///   - publicKey: the peer's public key, see ``ItemAttributes/publicKey``.
  ///   - query: the key; the first that matches is used.
  ///   - algorithm: the key agreement algorithm.
  ///   - size: the number of bytes to derive, if the algorithm derives a key; nil for 32.
  ///   - sharedInfo: additional input to the derivation.
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
