public import LocalAuthSecret

/// Encryption of any length for the owner of a key of RSA, as Apple's keys do it: a key for AES-GCM that is made
/// for this one message, encrypted by RSA, then `ciphertext || tag`.
///
/// The key has 128 bits, and 256 for keys of RSA from 4096 bits on; the nonce is zero, and the public key is
/// authenticated.
public enum KeyWrapping {
  /// Encrypts.
  ///
  /// - Throws: ``PKIError/unsuitable`` for a key that does not have the scheme, ``PKIError/failed``.
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

  /// The encrypted key of a message, and the rest of it.
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

  /// Decrypts the rest of a message.
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
