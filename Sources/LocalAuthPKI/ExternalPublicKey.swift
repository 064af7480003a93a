import CLocalAuthOpenSSL
import LocalAuthSecret

/// A public key outside of a keychain, in the form that Apple's keys have there.
public struct ExternalPublicKey: Hashable, Sendable {
  /// PKCS #1 for RSA, `04 || X || Y` of ANSI X9.63 for a curve.
  public let representation: [UInt8]
  /// SHA-1 of ``representation``: the application label (`klbl`) of both halves.
  ///
  /// Whoever looks for the key's items looks for this: it is there, or the key is not.
  public let label: [UInt8]
  let shape: KeyShape

  /// What the key is made for.
  public var type: ExternalKeyType { shape.type }
  /// Its size in bits.
  public var bits: Int { shape.bits }
  /// How many bytes one operation takes and gives at most.
  public var blockSize: Int { shape.blockSize }

  /// The key in `bytes`; of RSA a SubjectPublicKeyInfo is taken too.
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
      // SAFETY: the array has as many bytes as a point of the curve, and is lent for the call.
      let isPoint = unsafe bytes.withUnsafeBytes { bytes in
        unsafe la_ec_is_point(curve.group, bytes.baseAddress, bytes.count)
      }
      guard isPoint else { throw .malformed }
      try self.init(bytes, .curve(curve))
    }
  }

  /// The key of a certificate, in its SubjectPublicKeyInfo (RFC 5280).
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

  /// Whether signatures of this key can be of this scheme.
  public func supports(_ scheme: SignatureScheme) -> Bool { scheme.fits(shape) }

  /// How many bytes can be encrypted at once; nil for a scheme that the key does not have.
  public func capacity(_ scheme: EncryptionScheme) -> Int? { scheme.capacity(shape) }

  /// Whether `signature` is this key's over `digest`.
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
    // Only a number that is not below the modulus is refused by the library.
    guard let block else { throw scheme == .raw ? .size : .failed }
    return block
  }

  /// The same for a key, which stays where it is; `scheme` pads.
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

  /// The library's form of the key.
  func key() throws(PKIError) -> PKey {
    // SAFETY: the array is lent for the calls with its size, which is that of the kind of key.
    let made = unsafe representation.withUnsafeBytes { bytes in
      switch shape {
      case .rsa: unsafe la_rsa_new(false, bytes.baseAddress, bytes.count)
      case .curve(let curve): unsafe la_ec_new(curve.group, nil, bytes.baseAddress, bytes.count)
      }
    }
    return try unsafe PKey(made, orThrow: .failed)
  }
}
