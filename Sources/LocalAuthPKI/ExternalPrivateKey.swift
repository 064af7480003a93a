import CLocalAuthOpenSSL
public import LocalAuthSecret

/// A private key outside the keychain, in wiped, locked memory of the process.
///
/// Each operation builds the library's own form of the key, which is wiped and freed before the
/// operation returns. Until then it is in ordinary memory.
public final class ExternalPrivateKey: Sendable {
  /// The public half.
  public let publicKey: ExternalPublicKey
  private let representation: Secret
  private var shape: KeyShape { publicKey.shape }

  /// Generates a key.
  ///
  /// RSA takes some tens of milliseconds for 2048 bits, and seconds for 8192.
  /// - Throws: ``PKIError/unsupported`` for a size that does not exist, ``PKIError/failed``.
  public static func generate(
    _ type: ExternalKeyType,
    bits: Int
  ) throws(PKIError) -> ExternalPrivateKey {
    switch type {
    case .rsa:
      guard KeyShape.rsaBits.contains(bits) else { throw .unsupported }
      return try ExternalPrivateKey(unsafe PKey(la_rsa_generate(bits), orThrow: .failed))
    case .ellipticCurve:
      guard let curve = NISTCurve(rawValue: bits) else { throw .unsupported }
      return try ExternalPrivateKey(unsafe PKey(la_ec_generate(curve.group), orThrow: .failed))
    }
  }

  /// Reads a key: PKCS #1 for RSA, `04 || X || Y || K` of ANSI X9.63 for a curve.
  ///
  /// - Throws: ``PKIError/malformed``, also if the halves do not match; ``PKIError/unsupported``.
  public convenience init(
    _ type: ExternalKeyType,
    representation secret: borrowing Secret
  ) throws(PKIError) {
    let key = try Self.key(type, secret, orThrow: .malformed)
    guard key.isPair else { throw .malformed }
    try self.init(key)
    // The library accepts other encodings too; reject them.
    guard representation.isEqual(to: secret) else { throw .malformed }
  }

  /// Reads an unencrypted PKCS #8 key (RFC 5208).
  ///
  /// - Throws: ``PKIError/malformed``, ``PKIError/unsupported`` for another kind of key.
  public convenience init(pkcs8 secret: borrowing Secret) throws(PKIError) {
    // SAFETY: the secret is lent for the call with its size.
    let made = unsafe secret.withUnsafeBytes { bytes in
      unsafe la_pkey_from_pkcs8(bytes.baseAddress, bytes.count)
    }
    let key = try unsafe PKey(made, orThrow: .malformed)
    guard key.isPair else { throw .malformed }
    try self.init(key)
  }

  init(_ key: borrowing PKey) throws(PKIError) {
    publicKey = try ExternalPublicKey(key)
    representation = try key.privateRepresentation()
  }

  /// A copy of the key in the format of ``init(_:representation:)``.
  public func copyRepresentation() -> Secret {
    // SAFETY: the bytes are copied while they are lent.
    unsafe representation.withUnsafeBytes { unsafe Secret(copying: $0) }
  }

  // MARK: Operations

  /// Signs `digest`.
  ///
  /// - Throws: ``PKIError/unsuitable``, ``PKIError/size``, ``PKIError/failed``.
  public func sign(_ digest: [UInt8], by scheme: SignatureScheme) throws(PKIError) -> [UInt8] {
    guard publicKey.supports(scheme) else { throw .unsuitable }
    let digest = try scheme.input(digest, shape)
    let key = try key()
    var size = Int(unsafe EVP_PKEY_get_size(key.pointer))
    var signature = [UInt8](repeating: 0, count: size)
    // SAFETY: the digest is lent with its size, and the signature has room for the longest.
    let isDone = unsafe digest.withUnsafeBytes { digest in
      unsafe signature.withUnsafeMutableBytes { signature in
        unsafe la_pkey_sign(
          key.pointer,
          scheme.padding,
          scheme.hash?.rawValue,
          digest.baseAddress,
          digest.count,
          signature.baseAddress,
          &size
        )
      }
    }
    // Without DigestInfo, the input may be too long for the padding.
    guard isDone else { throw scheme.hash == nil ? .size : .failed }
    return Array(signature.prefix(size))
  }

  /// Decrypts one block with RSA.
  ///
  /// - Throws: ``PKIError/unsuitable``, ``PKIError/size``, ``PKIError/undecryptable``.
  public func decrypt(
    _ ciphertext: [UInt8],
    by scheme: EncryptionScheme
  ) throws(PKIError) -> Secret {
    guard scheme.capacity(shape) != nil else { throw .unsuitable }
    let ciphertext = try ciphertext.padded(to: publicKey.blockSize)
    let key = try key()
    var size = publicKey.blockSize
    var plaintext = Secret(capacity: size)
    // SAFETY: the input is lent with its size, and the output has room for one block.
    let isDone = unsafe ciphertext.withUnsafeBytes { input in
      unsafe plaintext.withUnsafeMutableBytes { output, count in
        let isDone = unsafe la_rsa_crypt(
          key.pointer,
          false,
          scheme.padding,
          scheme.hash?.rawValue,
          input.baseAddress,
          input.count,
          output.baseAddress,
          &size
        )
        count = isDone ? size : 0
        return isDone
      }
    }
    guard isDone else { throw .undecryptable }
    return plaintext
  }

  /// Agrees on a secret with the owner of `peer`: the x-coordinate of the shared point.
  ///
  /// - Throws: ``PKIError/unsuitable`` for RSA and for a peer on another curve,
  ///   ``PKIError/failed``.
  public func sharedSecret(with peer: ExternalPublicKey) throws(PKIError) -> Secret {
    guard case .curve(let curve) = shape, peer.shape == shape else { throw .unsuitable }
    let key = try key()
    let other = try peer.key()
    var shared = Secret(capacity: curve.coordinateSize)
    // SAFETY: the result has room for one coordinate.
    let isDone = unsafe shared.withUnsafeMutableBytes { output, count in
      count = curve.coordinateSize
      return unsafe la_ec_agree(key.pointer, other.pointer, output.baseAddress, count)
    }
    guard isDone else { throw .failed }
    return shared
  }

  private func key() throws(PKIError) -> PKey {
    try Self.key(shape.type, representation, orThrow: .failed)
  }

  /// Builds the library's form of the key in `secret`; throws `error` if it is malformed.
  private static func key(
    _ type: ExternalKeyType,
    _ secret: borrowing Secret,
    orThrow error: PKIError
  ) throws(PKIError) -> PKey {
    // SAFETY: the secret is lent for the calls with its size.
    let made: OpaquePointer? = unsafe secret.withUnsafeBytes { bytes in
      switch type {
      case .rsa: unsafe la_rsa_new(true, bytes.baseAddress, bytes.count)
      case .ellipticCurve: unsafe curveKey(bytes)
      }
    }
    return try unsafe PKey(made, orThrow: error)
  }

  /// Builds the key `04 || X || Y || K` without checking that its halves match.
  private static func curveKey(_ bytes: UnsafeRawBufferPointer) -> OpaquePointer? {
    let curve = NISTCurve.allCases.first { $0.pointSize + $0.coordinateSize == bytes.count }
    guard let curve, let start = bytes.baseAddress, unsafe bytes[0] == 4 else { return nil }
    return unsafe la_ec_new(curve.group, start + curve.pointSize, start, curve.pointSize)
  }
}
