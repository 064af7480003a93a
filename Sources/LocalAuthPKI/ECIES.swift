public import LocalAuthSecret

/// Encryption for the owner of a key of a curve, as Apple's keys do it: `point || ciphertext || tag`.
///
/// The point is that of a key which is made for this one message; a key for AES-GCM is derived from what the
/// two agree on and from the point. It has 128 bits for P-256 and 256 for larger curves.
public struct ECIES: Sendable {
  private let hash: HashFunction
  private let derivesNonce: Bool

  /// With this hash function in the derivation; the nonce is derived too, or zero.
  public init(_ hash: HashFunction, derivesNonce: Bool) {
    self.hash = hash
    self.derivesNonce = derivesNonce
  }

  /// Encrypts.
  ///
  /// - Throws: ``PKIError/unsuitable`` for RSA, ``PKIError/failed``.
  public func seal(
    _ plaintext: [UInt8],
    for key: ExternalPublicKey
  ) throws(PKIError) -> [UInt8] {
    guard key.type == .ellipticCurve else { throw .unsuitable }
    let ephemeral = try ExternalPrivateKey.generate(.ellipticCurve, bits: key.bits)
    let shared = try ephemeral.sharedSecret(with: key)
    let symmetric = try symmetricKey(shared, from: ephemeral.publicKey)
    return ephemeral.publicKey.representation
      + (try IntegratedEncryption.seal(plaintext, key: symmetric, authenticating: []))
  }

  /// The key that a message was made with, and the rest of it.
  ///
  /// - Throws: ``PKIError/size``, ``PKIError/malformed``, ``PKIError/unsuitable`` for RSA.
  public static func parts(
    of message: [UInt8],
    for key: ExternalPublicKey
  ) throws(PKIError) -> (ephemeral: ExternalPublicKey, sealed: [UInt8]) {
    guard case .curve(let curve) = key.shape else { throw .unsuitable }
    guard message.count >= curve.pointSize + IntegratedEncryption.tagSize else { throw .size }
    let ephemeral = try ExternalPublicKey(
      .ellipticCurve,
      representation: Array(message.prefix(curve.pointSize))
    )
    return (ephemeral, Array(message.dropFirst(curve.pointSize)))
  }

  /// Decrypts the rest of a message; `shared` is what its key and the owner's agree on.
  ///
  /// - Throws: ``PKIError/undecryptable``.
  public func open(
    _ sealed: [UInt8],
    _ shared: borrowing Secret,
    from ephemeral: ExternalPublicKey
  ) throws(PKIError) -> [UInt8] {
    let symmetric = try symmetricKey(shared, from: ephemeral)
    return try IntegratedEncryption.open(sealed, key: symmetric, authenticating: [])
  }

  /// The key and the nonce behind it.
  private func symmetricKey(
    _ shared: borrowing Secret,
    from ephemeral: ExternalPublicKey
  ) throws(PKIError) -> Secret {
    let keySize = ephemeral.bits > 256 ? 32 : 16
    let derived = try IntegratedEncryption.derive(
      derivesNonce ? keySize + IntegratedEncryption.nonceSize : keySize,
      from: shared,
      sharedInfo: ephemeral.representation,
      hash
    )
    return derivesNonce ? derived : IntegratedEncryption.withZeroNonce(derived)
  }
}
