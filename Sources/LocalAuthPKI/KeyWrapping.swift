public import LocalAuthSecret

/// Encryption of any length to an RSA key, as Apple does it: an AES-GCM key made for the one
/// message and encrypted with RSA, then `ciphertext || tag`.
///
/// The AES key has 128 bits, or 256 for RSA keys of at least 4096 bits; the nonce is zero, and the
/// public key is authenticated.
public enum KeyWrapping {
  /// Encrypts `plaintext` to the owner of `key`.
  ///
  /// - Throws: ``PKIError/unsuitable`` if the key does not support the scheme, ``PKIError/failed``.
  public static func seal(
    _ plaintext: [UInt8],
    for key: ExternalPublicKey,
    _ scheme: EncryptionScheme
  ) throws(PKIError) -> [UInt8] {
    let session = try IntegratedEncryption.randomKey(sessionSize(key))
    let wrapped = try key.encrypt(session, by: scheme)
    let sealed = try IntegratedEncryption.seal(
      plaintext,
      key: IntegratedEncryption.withZeroNonce(session),
      authenticating: key.representation
    )
    return wrapped + sealed
  }

  /// Splits a message into its encrypted key and the sealed rest.
  ///
  /// - Throws: ``PKIError/size``.
  public static func parts(
    of message: [UInt8],
    for key: ExternalPublicKey
  ) throws(PKIError) -> (wrapped: [UInt8], sealed: [UInt8]) {
    let size = key.blockSize
    guard message.count >= size + IntegratedEncryption.tagSize else { throw .size }
    return (Array(message.prefix(size)), Array(message.dropFirst(size)))
  }

  /// Decrypts the sealed rest of a message.
  ///
  /// - Throws: ``PKIError/undecryptable``.
  public static func open(
    _ sealed: [UInt8],
    with session: borrowing Secret,
    for key: ExternalPublicKey
  ) throws(PKIError) -> [UInt8] {
    guard session.count == sessionSize(key) else { throw .undecryptable }
    return try IntegratedEncryption.open(
      sealed,
      key: IntegratedEncryption.withZeroNonce(session),
      authenticating: key.representation
    )
  }

  private static func sessionSize(_ key: ExternalPublicKey) -> Int { key.bits >= 4096 ? 32 : 16 }
}
