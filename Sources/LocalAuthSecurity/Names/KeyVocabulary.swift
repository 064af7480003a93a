// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are Apple's.

/// An operation of a key.
public enum SecKeyOperationType: CFIndex, Sendable {
  /// Signing.
  case sign = 0
  /// Verifying a signature.
  case verify = 1
  /// Encrypting.
  case encrypt = 2
  /// Decrypting.
  case decrypt = 3
  /// Agreeing on a secret with the owner of another key.
  case keyExchange = 4
}

/// A parameter of a key exchange.
public struct SecKeyKeyExchangeParameter: RawRepresentable, Hashable, Sendable {
  /// Apple's text.
  public let rawValue: CFString

  /// The parameter with this text, which is not checked.
  public init(rawValue: CFString) { self.rawValue = rawValue }

  /// The size of the derived key, in bytes.
  public static let requestedSize = Self(rawValue: "requestedSize")
  /// Data that both sides put into the derivation.
  public static let sharedInfo = Self(rawValue: "sharedInfo")
}

/// A padding of the older calls; deprecated by Apple for `SecKeyAlgorithm`.
public struct SecPadding: OptionSet, Hashable, Sendable {
  /// Apple's number.
  public let rawValue: UInt32

  /// The padding with this number.
  public init(rawValue: UInt32) { self.rawValue = rawValue }

  /// PKCS #1 v1.5.
  public static let PKCS1 = Self(rawValue: 1)
  /// OAEP.
  public static let OAEP = Self(rawValue: 2)
  /// An ECDSA signature as `r || s`.
  public static let sigRaw = Self(rawValue: 0x4000)
  /// PKCS #1 v1.5 with an MD2 digest.
  public static let PKCS1MD2 = Self(rawValue: 0x8000)
  /// PKCS #1 v1.5 with an MD5 digest.
  public static let PKCS1MD5 = Self(rawValue: 0x8001)
  /// PKCS #1 v1.5 with a SHA-1 digest.
  public static let PKCS1SHA1 = Self(rawValue: 0x8002)
  /// PKCS #1 v1.5 with a SHA-224 digest.
  public static let PKCS1SHA224 = Self(rawValue: 0x8003)
  /// PKCS #1 v1.5 with a SHA-256 digest.
  public static let PKCS1SHA256 = Self(rawValue: 0x8004)
  /// PKCS #1 v1.5 with a SHA-384 digest.
  public static let PKCS1SHA384 = Self(rawValue: 0x8005)
  /// PKCS #1 v1.5 with a SHA-512 digest.
  public static let PKCS1SHA512 = Self(rawValue: 0x8006)
}

/// Sizes of keys in bits; deprecated by Apple for the numbers themselves.
public enum SecKeySizes: UInt32, Sendable {
  /// The algorithm's default.
  case secDefaultKeySize = 0
  /// AES of 128 bits.
  case secAES128 = 128
  /// Triple DES.
  case sec3DES192 = 192
  /// AES of 256 bits.
  case secAES256 = 256
  /// The curve P-384.
  case secp384r1 = 384
  /// The curve P-521.
  case secp521r1 = 521
  /// Apple's minimum for RSA; here it is 512.
  case secRSAMin = 1024
  /// Apple's maximum for RSA; here it is 8192.
  case secRSAMax = 4096

  /// AES of 192 bits.
  public static let secAES192 = sec3DES192
  /// The curve P-192.
  public static let secp192r1 = sec3DES192
  /// The curve P-256.
  public static let secp256r1 = secAES256
}
