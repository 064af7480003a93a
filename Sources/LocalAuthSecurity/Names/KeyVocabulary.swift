// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are Apple's.

/// What a key can be asked to do.
public enum SecKeyOperationType: CFIndex, Sendable {
  /// Signing.
  case sign = 0
  /// Verifying a signature.
  case verify = 1
  /// Encrypting.
  case encrypt = 2
  /// Decrypting.
  case decrypt = 3
  /// Agreeing on a key with another one.
  case keyExchange = 4
}

/// What the agreement on a key takes besides the keys.
public struct SecKeyKeyExchangeParameter: RawRepresentable, Hashable, Sendable {
  /// Apple's text.
  public let rawValue: CFString

  /// The parameter with this text, whether or not there is one.
  public init(rawValue: CFString) { self.rawValue = rawValue }

  /// How long the key is to be, in bytes.
  public static let requestedSize = Self(rawValue: "requestedSize")
  /// Data that both sides put into the derivation.
  public static let sharedInfo = Self(rawValue: "sharedInfo")
}

/// How the older calls pad; deprecated by Apple for `SecKeyAlgorithm`.
public struct SecPadding: OptionSet, Hashable, Sendable {
  /// Apple's number.
  public let rawValue: UInt32

  /// The padding with this number.
  public init(rawValue: UInt32) { self.rawValue = rawValue }

  /// By PKCS #1 v1.5.
  public static let PKCS1 = Self(rawValue: 1)
  /// By OAEP.
  public static let OAEP = Self(rawValue: 2)
  /// An elliptic signature as two numbers side by side.
  public static let sigRaw = Self(rawValue: 0x4000)
  /// By PKCS #1 with the name of MD2.
  public static let PKCS1MD2 = Self(rawValue: 0x8000)
  /// By PKCS #1 with the name of MD5.
  public static let PKCS1MD5 = Self(rawValue: 0x8001)
  /// By PKCS #1 with the name of SHA-1.
  public static let PKCS1SHA1 = Self(rawValue: 0x8002)
  /// By PKCS #1 with the name of SHA-224.
  public static let PKCS1SHA224 = Self(rawValue: 0x8003)
  /// By PKCS #1 with the name of SHA-256.
  public static let PKCS1SHA256 = Self(rawValue: 0x8004)
  /// By PKCS #1 with the name of SHA-384.
  public static let PKCS1SHA384 = Self(rawValue: 0x8005)
  /// By PKCS #1 with the name of SHA-512.
  public static let PKCS1SHA512 = Self(rawValue: 0x8006)
}

/// Sizes of keys in bits; deprecated by Apple for the numbers themselves.
public enum SecKeySizes: UInt32, Sendable {
  /// What the algorithm has by default.
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
  /// The shortest key of RSA.
  case secRSAMin = 1024
  /// The longest key of RSA.
  case secRSAMax = 4096

  /// AES of 192 bits.
  public static let secAES192 = sec3DES192
  /// The curve P-192.
  public static let secp192r1 = sec3DES192
  /// The curve P-256.
  public static let secp256r1 = secAES256
}
