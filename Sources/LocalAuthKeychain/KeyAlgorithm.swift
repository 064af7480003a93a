/// The curve of a key that can be created and used here; keys of other kinds can only be stored.
public enum KeyCurve: String, CaseIterable, Hashable, Sendable {
  /// NIST's curve P-256, also called secp256r1 and prime256v1.
  case p256
  /// EdDSA signatures over Curve25519.
  case ed25519

  /// The `type` of such a key.
  public var keyType: KeyType {
    switch self {
    case .p256: .ellipticCurve
    case .ed25519: .ed25519
    }
  }

  /// The size of the key in bits, as `kSecAttrKeySizeInBits` gives it.
  public var bits: Int { 256 }
  /// The size of a public key in bytes: `04 || X || Y` for P-256, the bare key for Ed25519.
  public var publicKeySize: Int {
    switch self {
    case .p256: 65
    case .ed25519: 32
    }
  }

  /// The algorithms that keys of this kind support.
  public var algorithms: [KeyAlgorithm] { KeyAlgorithm.allCases.filter { $0.curve == self } }
}

/// A hash function for signatures.
public enum KeyDigest: CaseIterable, Hashable, Sendable {
  case sha256
  case sha384
  case sha512

  /// The size of the digest in bytes.
  public var size: Int {
    switch self {
    case .sha256: 32
    case .sha384: 48
    case .sha512: 64
    }
  }
}

/// The algorithm that a key is used with, by the names of Apple's `SecKeyAlgorithm`.
///
/// An ECDSA signature is the DER of ANSI X9.62 (`SEQUENCE { r, s }`), an EdDSA signature is 64
/// bytes.
public enum KeyAlgorithm: String, CaseIterable, Hashable, Sendable {
  case ecdsaSignatureMessageX962SHA256 = "algid:sign:ECDSA:message-X962:SHA256"
  case ecdsaSignatureMessageX962SHA384 = "algid:sign:ECDSA:message-X962:SHA384"
  case ecdsaSignatureMessageX962SHA512 = "algid:sign:ECDSA:message-X962:SHA512"
  case ecdsaSignatureDigestX962SHA256 = "algid:sign:ECDSA:digest-X962:SHA256"
  case ecdsaSignatureDigestX962SHA384 = "algid:sign:ECDSA:digest-X962:SHA384"
  case ecdsaSignatureDigestX962SHA512 = "algid:sign:ECDSA:digest-X962:SHA512"
  case edDSASignatureMessageCurve25519SHA512 = "algid:sign:EdDSA:message-Curve25519:SHA512"
  /// The raw shared secret: the x-coordinate of the common point.
  case ecdhKeyExchangeStandard = "algid:keyexchange:ECDH"
  /// A key of any size, derived from that secret by the function of ANSI X9.63.
  case ecdhKeyExchangeStandardX963SHA256 = "algid:keyexchange:ECDH:KDFX963:SHA256"

  /// The operation performed with the key.
  public enum Operation: Hashable, Sendable {
    /// Signs a message, which is hashed first.
    case signMessage(KeyDigest)
    /// Signs a digest that the caller made.
    case signDigest(KeyDigest)
    /// Agrees on a secret with another key, with or without a derivation function.
    case exchange(isDerived: Bool)
  }

  /// The operation performed with the key.
  public var operation: Operation {
    switch self {
    case .ecdsaSignatureMessageX962SHA256: .signMessage(.sha256)
    case .ecdsaSignatureMessageX962SHA384: .signMessage(.sha384)
    case .ecdsaSignatureMessageX962SHA512: .signMessage(.sha512)
    case .ecdsaSignatureDigestX962SHA256: .signDigest(.sha256)
    case .ecdsaSignatureDigestX962SHA384: .signDigest(.sha384)
    case .ecdsaSignatureDigestX962SHA512: .signDigest(.sha512)
    case .edDSASignatureMessageCurve25519SHA512: .signMessage(.sha512)
    case .ecdhKeyExchangeStandard: .exchange(isDerived: false)
    case .ecdhKeyExchangeStandardX963SHA256: .exchange(isDerived: true)
    }
  }

  /// The curve of the key it needs.
  public var curve: KeyCurve {
    switch self {
    case .edDSASignatureMessageCurve25519SHA512: .ed25519
    case .ecdsaSignatureMessageX962SHA256, .ecdsaSignatureMessageX962SHA384,
      .ecdsaSignatureMessageX962SHA512, .ecdsaSignatureDigestX962SHA256,
      .ecdsaSignatureDigestX962SHA384, .ecdsaSignatureDigestX962SHA512,
      .ecdhKeyExchangeStandard, .ecdhKeyExchangeStandardX963SHA256:
      .p256
    }
  }
}
