public import LocalAuthSecret

/// ECIES encryption to an elliptic-curve key, as Apple does it: `point || ciphertext || tag`.
///
/// The point is the public half of an ephemeral key made for the one message. The AES-GCM key is
/// derived from the shared secret and the point. It has 128 bits for P-256 and 256 for larger
/// curves.
public struct ECIES: Sendable {
  private let hash: HashFunction
  private let derivesNonce: Bool

  /// Makes the scheme with this hash function for key derivation; the nonce is derived too, or else
  /// zero.
  public init(_ hash: HashFunction, derivesNonce: Bool) {
    self.hash = hash
    self.derivesNonce = derivesNonce
  }

  /// Encrypts `plaintext` to the owner of `key`.
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

  /// Splits a message into its ephemeral public key and the sealed rest.
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

  /// Decrypts the sealed rest of a message; `shared` is the secret agreed on by the ephemeral key
  /// and the owner's.
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

  /// Derives the symmetric key, followed by the nonce.
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
