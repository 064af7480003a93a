/// The kind of a key outside the keychain.
public enum ExternalKeyType: Hashable, Sendable {
  /// RSA with a modulus of 512 to 8192 bits.
  case rsa
  /// A NIST curve.
  case ellipticCurve
}

/// The NIST curves.
public enum NISTCurve: Int, CaseIterable, Hashable, Sendable {
  case p256 = 256
  case p384 = 384
  case p521 = 521

  /// The size of a key in bits.
  public var bits: Int { rawValue }
  /// The size of a coordinate or a private scalar in bytes.
  public var coordinateSize: Int { (rawValue + 7) / 8 }
  /// The size of a point `04 || X || Y` in bytes.
  public var pointSize: Int { 1 + 2 * coordinateSize }

  /// OpenSSL's name for the curve.
  var group: String {
    switch self {
    case .p256: "prime256v1"
    case .p384: "secp384r1"
    case .p521: "secp521r1"
    }
  }

  init?(pointSize: Int) {
    guard let curve = Self.allCases.first(where: { $0.pointSize == pointSize }) else { return nil }
    self = curve
  }

  init?(group: String) {
    guard let curve = Self.allCases.first(where: { $0.group == group }) else { return nil }
    self = curve
  }
}

/// The properties that both halves of a key share.
enum KeyShape: Hashable, Sendable {
  case rsa(bits: Int)
  case curve(NISTCurve)

  /// Apple's limits.
  static let rsaBits = 512...8192

  /// The size of the key in bits.
  var bits: Int {
    switch self {
    case .rsa(let bits): bits
    case .curve(let curve): curve.bits
    }
  }

  /// The largest input or output of one operation in bytes: a modulus, or a coordinate.
  var blockSize: Int { (bits + 7) / 8 }

  var type: ExternalKeyType {
    switch self {
    case .rsa: .rsa
    case .curve: .ellipticCurve
    }
  }
}
