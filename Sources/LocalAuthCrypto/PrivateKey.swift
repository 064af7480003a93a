import CLocalAuthOpenSSL
import CLocalAuthSodium
public import LocalAuthKeychain
public import LocalAuthSecret

/// The private half of a key of class `keys`: 32 bytes in wiped, locked memory.
///
/// Each operation builds OpenSSL's own form of the key, which is wiped and freed before the
/// operation returns. Until then, for some tens of microseconds, it is in ordinary memory.
public struct PrivateKey: ~Copyable, Sendable {
  /// The size of a serialized key in bytes.
  public static let serializedSize = Int(LA_KEY_SIZE)
  /// The size of the longest key derived from a shared secret, in bytes.
  public static let derivedSizeMax = 8160

  /// The public half.
  public let publicKey: PublicKey
  private let secret: Secret

  /// The kind of the key.
  public var curve: KeyCurve { publicKey.curve }

  /// Generates a key; the public half of a P-256 key is determined by its X alone, as in CryptoKit.
  public static func generate(_ curve: KeyCurve) throws(KeyError) -> PrivateKey {
    while true {
      do throws(KeyError) {
        let key = try PrivateKey(curve, serialized: randomBytes())
        // Every second key has the other Y.
        if curve == .ed25519 || KeyCurve.isCompact(key.publicKey.bytes) { return key }
      } catch {
        // One number in 2^32 is no scalar of the curve; draw another.
        guard error == .outOfRange else { throw error }
      }
    }
  }

  /// Restores a key from ``serialize()``: the scalar of P-256, big-endian, or the seed of Ed25519.
  ///
  /// - Throws: ``KeyError/malformed`` for any other size, ``KeyError/outOfRange``.
  public init(_ curve: KeyCurve, serialized secret: consuming Secret) throws(KeyError) {
    try self.init(curve, secret, beside: nil)
  }

  /// Restores a key that came with a public key, which must match it.
  init(
    _ curve: KeyCurve,
    _ secret: consuming Secret,
    beside expected: [UInt8]?
  ) throws(KeyError) {
    guard secret.count == Self.serializedSize else { throw .malformed }
    var bytes = [UInt8](repeating: 0, count: curve.publicKeySize)
    // SAFETY: the secret has 32 bytes, and the array has room for a public key of this kind.
    let isDone: Bool? = unsafe secret.withUnsafeBytes { secret in
      unsafe bytes.withUnsafeMutableBytes { output in
        switch curve {
        case .p256:
          unsafe la_p256_is_scalar(secret.baseAddress)
            ? la_p256_public(secret.baseAddress, output.baseAddress) : nil
        case .ed25519: unsafe la_ed25519_public(secret.baseAddress, output.baseAddress)
        }
      }
    }
    guard let isDone else { throw .outOfRange }
    guard isDone else { throw .failed }
    let publicKey = PublicKey(trusted: bytes, curve)
    if let expected, expected != bytes { throw .publicKeyDiffers }
    self.publicKey = publicKey
    self.secret = secret
  }

  /// The 32 bytes of the key, for sealing.
  public consuming func serialize() -> Secret { secret }

  /// Signs `message`, which must be a digest if `algorithm` signs digests.
  ///
  /// - Throws: ``KeyError/unsuitable(_:_:)``, ``KeyError/digestSize(expected:)``,
  ///   ``KeyError/failed``.
  public func sign(_ message: [UInt8], by algorithm: KeyAlgorithm) throws(KeyError) -> [UInt8] {
    let digest = try algorithm.digest(for: curve, messageSize: message.count)
    let room = Int(curve == .p256 ? LA_P256_SIGNATURE_MAX : LA_ED25519_SIGNATURE_SIZE)
    // SAFETY: key, public key and message are lent for the call, the first two with the sizes of
    // their kind; the signature has room for `size` bytes.
    let signature = unsafe [UInt8](unsafeUninitializedCapacity: room) { signature, count in
      var size = room
      let isDone = unsafe secret.withUnsafeBytes { secret in
        unsafe publicKey.bytes.withUnsafeBytes { point in
          unsafe message.withUnsafeBytes { message in
            unsafe la_key_sign(
              curve.number,
              secret.baseAddress,
              point.baseAddress,
              digest,
              message.baseAddress,
              message.count,
              signature.baseAddress,
              &size
            )
          }
        }
      }
      count = isDone ? size : 0
    }
    guard !signature.isEmpty else { throw .failed }
    return signature
  }

  /// Agrees on a secret with the owner of `peer`.
  ///
  /// The result is the shared secret's 32 bytes, or `size` bytes derived from them and
  /// `sharedInfo`; without derivation, `size` and `sharedInfo` are ignored.
  /// - Throws: ``KeyError/unsuitable(_:_:)``, also for a `peer` of another kind,
  ///   ``KeyError/derivedSize``, ``KeyError/failed``.
  public func exchange(
    with peer: PublicKey,
    by algorithm: KeyAlgorithm,
    size: Int = PrivateKey.serializedSize,
    sharedInfo: [UInt8] = []
  ) throws(KeyError) -> Secret {
    guard case .exchange(let isDerived) = algorithm.operation, algorithm.curve == curve else {
      throw .unsuitable(algorithm, curve)
    }
    guard peer.curve == curve else { throw .unsuitable(algorithm, peer.curve) }
    guard !isDerived || (1...Self.derivedSizeMax).contains(size) else { throw .derivedSize }
    let shared = try agree(with: peer)
    return isDerived ? try Self.derive(size, from: shared, sharedInfo) : shared
  }

  private func agree(with peer: PublicKey) throws(KeyError) -> Secret {
    var shared = Secret(capacity: Self.serializedSize)
    // SAFETY: the secret has 32 bytes, both points have 65, and the result has room for 32.
    let isDone = unsafe shared.withUnsafeMutableBytes { output, count in
      count = Self.serializedSize
      return unsafe secret.withUnsafeBytes { secret in
        unsafe publicKey.bytes.withUnsafeBytes { own in
          unsafe peer.bytes.withUnsafeBytes { peer in
            unsafe la_p256_agree(
              secret.baseAddress,
              own.baseAddress,
              peer.baseAddress,
              output.baseAddress
            )
          }
        }
      }
    }
    guard isDone else { throw .failed }
    return shared
  }

  static func derive(
    _ size: Int,
    from shared: borrowing Secret,
    _ sharedInfo: [UInt8]
  ) throws(KeyError) -> Secret {
    var key = Secret(capacity: size)
    // SAFETY: the result has room for `size` bytes; the others are lent with their sizes.
    let isDone = unsafe key.withUnsafeMutableBytes { output, count in
      count = size
      return unsafe shared.withUnsafeBytes { shared in
        unsafe sharedInfo.withUnsafeBytes { info in
          unsafe la_shared_kdf(
            "X963KDF",
            "SHA256",
            output.baseAddress,
            size,
            shared.baseAddress,
            shared.count,
            info.baseAddress,
            info.count
          )
        }
      }
    }
    guard isDone else { throw .failed }
    return key
  }

  private static func randomBytes() -> Secret {
    Sodium.ready
    var secret = Secret(capacity: serializedSize)
    // SAFETY: the secret has room for 32 bytes.
    unsafe secret.withUnsafeMutableBytes { bytes, count in
      count = serializedSize
      unsafe la_sodium_random(bytes.baseAddress, serializedSize)
    }
    return secret
  }
}
