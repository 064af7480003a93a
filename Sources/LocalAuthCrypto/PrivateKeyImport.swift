import LocalAuthKeychain
public import LocalAuthSecret

extension PrivateKey {
  /// Reads a P-256 key in the ANSI X9.63 format of Apple's external representation: `04 || X || Y
  /// || K`.
  ///
  /// - Throws: ``KeyError/malformed``, ``KeyError/outOfRange``, ``KeyError/publicKeyDiffers``.
  public init(x963 key: borrowing Secret) throws(KeyError) {
    let pointSize = KeyCurve.p256.publicKeySize
    guard key.count == pointSize + Self.serializedSize else { throw .malformed }
    // SAFETY: the key has both parts; the bytes are copied into an array and a secret.
    let point = unsafe key.withUnsafeBytes { unsafe Array($0.prefix(pointSize)) }
    let scalar = unsafe key.withUnsafeBytes {
      unsafe Secret(copying: UnsafeRawBufferPointer(rebasing: $0.dropFirst(pointSize)))
    }
    try self.init(.p256, scalar, beside: point)
  }
}
