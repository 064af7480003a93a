import CLocalAuthOpenSSL
import CLocalAuthSodium
public import LocalAuthKeychain

/// The public half of a key of class `keys`, with a validated point.
public struct PublicKey: Hashable, Sendable {
  /// The kind of the key.
  public let curve: KeyCurve
  /// The key: `04 || X || Y` of ANSI X9.63 for P-256, the 32 bytes of RFC 8032 for Ed25519.
  public let bytes: [UInt8]

  /// Reads and validates a public key.
  ///
  /// - Throws: ``KeyError/malformed`` for any other size or a compressed point, and
  ///   ``KeyError/invalidPublicKey`` for bytes that are not a point of the curve or a point in a
  ///   small subgroup.
  public init(_ curve: KeyCurve, _ bytes: [UInt8]) throws(KeyError) {
    guard bytes.count == curve.publicKeySize else { throw .malformed }
    // SAFETY: the array has the size of this kind of key, and is lent for the calls.
    let isValid = unsafe bytes.withUnsafeBufferPointer { key in
      switch curve {
      case .p256: unsafe la_p256_is_point(key.baseAddress)
      case .ed25519:
        unsafe key.baseAddress.map { unsafe crypto_core_ed25519_is_valid_point($0) } == 1
      }
    }
    guard curve != .p256 || bytes.first == 4 else { throw .malformed }
    guard isValid else { throw .invalidPublicKey }
    self.curve = curve
    self.bytes = bytes
  }

  /// Makes the public key of a private one, which needs no validation.
  init(trusted bytes: [UInt8], _ curve: KeyCurve) {
    self.curve = curve
    self.bytes = bytes
  }

  /// SHA-1 of ``bytes``: the application label (`klbl`) of both halves, as Apple's keys have it.
  ///
  /// It identifies a key; nothing depends on its collision resistance.
  public var applicationLabel: [UInt8] {
    var label = [UInt8](repeating: 0, count: 20)
    // SAFETY: both arrays are lent for the call, and the label has 20 bytes.
    let isWritten = unsafe bytes.withUnsafeBytes { key in
      unsafe label.withUnsafeMutableBytes { label in
        unsafe la_sha1(key.baseAddress, key.count, label.baseAddress)
      }
    }
    precondition(isWritten, "SHA-1 takes whatever fits into memory")
    return label
  }

  /// Whether `signature` is this key's signature of `message`, which must be a digest if
  /// `algorithm` signs digests.
  ///
  /// - Throws: ``KeyError/unsuitable(_:_:)``, ``KeyError/digestSize(expected:)``.
  public func verify(
    _ signature: [UInt8],
    of message: [UInt8],
    by algorithm: KeyAlgorithm
  ) throws(KeyError) -> Bool {
    let digest = try algorithm.digest(for: curve, messageSize: message.count)
    // SAFETY: the arrays are lent for the call, each with its size.
    return unsafe bytes.withUnsafeBytes { key in
      unsafe message.withUnsafeBytes { message in
        unsafe signature.withUnsafeBytes { signature in
          unsafe la_key_verify(
            curve.number,
            key.baseAddress,
            digest,
            message.baseAddress,
            message.count,
            signature.baseAddress,
            signature.count
          )
        }
      }
    }
  }
}

extension KeyCurve {
  var number: la_key_type {
    switch self {
    case .p256: LA_KEY_P256
    case .ed25519: LA_KEY_ED25519
    }
  }
}

extension KeyAlgorithm {
  /// The digest that the library must compute of a message; none if the caller computed it, or if
  /// it is part of the signature scheme.
  func digest(for curve: KeyCurve, messageSize: Int) throws(KeyError) -> la_digest {
    guard self.curve == curve else { throw .unsuitable(self, curve) }
    switch operation {
    case .signMessage(let digest):
      guard curve == .p256 else { return LA_DIGEST_NONE }
      switch digest {
      case .sha256: return LA_DIGEST_SHA256
      case .sha384: return LA_DIGEST_SHA384
      case .sha512: return LA_DIGEST_SHA512
      }
    case .signDigest(let digest):
      guard messageSize == digest.size else { throw .digestSize(expected: digest.size) }
      return LA_DIGEST_NONE
    case .exchange: throw .unsuitable(self, curve)
    }
  }
}
