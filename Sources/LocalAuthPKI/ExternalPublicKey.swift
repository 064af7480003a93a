import CLocalAuthOpenSSL
import LocalAuthSecret

/// A public key outside the keychain, in Apple's external representation.
public struct ExternalPublicKey: Hashable, Sendable {
  /// PKCS #1 for RSA, `04 || X || Y` of ANSI X9.63 for a curve.
  public let representation: [UInt8]
  /// SHA-1 of ``representation``: the application label (`klbl`) of both halves.
  ///
  /// The key's items are found by it, so a key is not made unless it can be computed.
  public let label: [UInt8]
  let shape: KeyShape

  /// The kind of the key.
  public var type: ExternalKeyType { shape.type }
  /// Its size in bits.
  public var bits: Int { shape.bits }
  /// The largest input or output of one operation in bytes.
  public var blockSize: Int { shape.blockSize }

  /// Reads a public key; for RSA, a SubjectPublicKeyInfo is accepted too.
  ///
  /// - Throws: ``PKIError/malformed``, ``PKIError/unsupported``.
  public init(_ type: ExternalKeyType, representation bytes: [UInt8]) throws(PKIError) {
    switch type {
    case .rsa:
      // SAFETY: the array is lent for the calls with its size.
      let made = unsafe bytes.withUnsafeBytes { bytes in
        unsafe la_rsa_new(false, bytes.baseAddress, bytes.count)
          ?? la_pkey_from_info(bytes.baseAddress, bytes.count)
      }
      self = try Self(unsafe PKey(made, orThrow: .malformed))
      guard shape.type == .rsa else { throw .malformed }
    case .ellipticCurve:
      guard let curve = NISTCurve(pointSize: bytes.count) else { throw .malformed }
      // SAFETY: the array has the size of a point of the curve, and is lent for the call.
      let isPoint = unsafe bytes.withUnsafeBytes { bytes in
        unsafe la_ec_is_point(curve.group, bytes.baseAddress, bytes.count)
      }
      guard isPoint else { throw .malformed }
      try self.init(bytes, .curve(curve))
    }
  }

  /// Reads the public key of a certificate from its SubjectPublicKeyInfo (RFC 5280).
  ///
  /// - Throws: ``PKIError/malformed``, ``PKIError/unsupported`` for another kind of key.
  public init(subjectPublicKeyInfo der: [UInt8]) throws(PKIError) {
    // SAFETY: the array is lent for the call with its size.
    let made = unsafe der.withUnsafeBytes { der in
      unsafe la_pkey_from_info(der.baseAddress, der.count)
    }
    self = try Self(unsafe PKey(made, orThrow: .malformed))
  }

  /// The public half of `key`.
  init(_ key: borrowing PKey) throws(PKIError) {
    try self.init(key.publicRepresentation(), key.shape)
  }

  private init(_ representation: [UInt8], _ shape: KeyShape) throws(PKIError) {
    label = try HashFunction.sha1.digest(of: representation)
    self.representation = representation
    self.shape = shape
  }

  /// Whether the key can make signatures of this scheme.
  public func supports(_ scheme: SignatureScheme) -> Bool { scheme.fits(shape) }

  /// The most bytes that can be encrypted at once; nil if the key does not support the scheme.
  public func capacity(_ scheme: EncryptionScheme) -> Int? { scheme.capacity(shape) }

  /// Whether `signature` is this key's signature of `digest`.
  ///
  /// - Throws: ``PKIError/unsuitable``, ``PKIError/size``.
  public func verify(
    _ signature: [UInt8],
    of digest: [UInt8],
    by scheme: SignatureScheme
  ) throws(PKIError) -> Bool {
    guard supports(scheme) else { throw .unsuitable }
    let digest = try scheme.input(digest, shape)
    let key = try key()
    // SAFETY: the arrays are lent for the call, each with its size.
    return unsafe digest.withUnsafeBytes { digest in
      unsafe signature.withUnsafeBytes { signature in
        unsafe la_pkey_verify(
          key.pointer,
          scheme.padding,
          scheme.hash?.rawValue,
          digest.baseAddress,
          digest.count,
          signature.baseAddress,
          signature.count
        )
      }
    }
  }

  /// Encrypts up to ``capacity(_:)`` bytes with RSA.
  ///
  /// - Throws: ``PKIError/unsuitable``, ``PKIError/size``, ``PKIError/failed``.
  public func encrypt(
    _ plaintext: [UInt8],
    by scheme: EncryptionScheme
  ) throws(PKIError) -> [UInt8] {
    try check(plaintext.count, for: scheme)
    let input = scheme == .raw ? try plaintext.padded(to: blockSize) : plaintext
    let key = try key()
    // SAFETY: the bytes are lent for the call.
    let block = unsafe input.withUnsafeBytes { unsafe key.encrypted($0, scheme) }
    // With raw RSA, the library rejects only a number not below the modulus.
    guard let block else { throw scheme == .raw ? .size : .failed }
    return block
  }

  /// Encrypts a secret without copying it; `scheme` adds the padding.
  func encrypt(_ secret: borrowing Secret, by scheme: EncryptionScheme) throws(PKIError) -> [UInt8]
  {
    try check(secret.count, for: scheme)
    let key = try key()
    // SAFETY: the bytes are lent for the call.
    guard let block = unsafe secret.withUnsafeBytes({ unsafe key.encrypted($0, scheme) }) else {
      throw .failed
    }
    return block
  }

  private func check(_ size: Int, for scheme: EncryptionScheme) throws(PKIError) {
    guard let capacity = capacity(scheme) else { throw .unsuitable }
    guard size <= capacity else { throw .size }
  }

  /// Builds the library's form of the key.
  func key() throws(PKIError) -> PKey {
    // SAFETY: the array is lent for the calls with its size, which is right for this kind of key.
    let made = unsafe representation.withUnsafeBytes { bytes in
      switch shape {
      case .rsa: unsafe la_rsa_new(false, bytes.baseAddress, bytes.count)
      case .curve(let curve): unsafe la_ec_new(curve.group, nil, bytes.baseAddress, bytes.count)
      }
    }
    return try unsafe PKey(made, orThrow: .failed)
  }
}
