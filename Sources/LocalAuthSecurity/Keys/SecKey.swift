// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are Apple's.

import LocalAuthKeychain
import LocalAuthPKI

/// A key of RSA or of a curve of NIST's: one whose bytes the process holds, or one that the keychain made
/// and never gives away.
public final class SecKey: NSObject, Sendable {
  /// Where the key is.
  enum Material: Sendable {
    case publicKey(ExternalPublicKey)
    case privateKey(ExternalPrivateKey)
    case keychainKey(KeychainKey)
  }

  let material: Material

  init(_ material: Material) { self.material = material }

  /// The public half.
  var publicKey: ExternalPublicKey {
    switch material {
    case .publicKey(let key): key
    case .privateKey(let key): key.publicKey
    case .keychainKey(let key): key.publicKey
    }
  }

  var isPrivate: Bool {
    switch material {
    case .publicKey: false
    case .privateKey, .keychainKey: true
    }
  }

  /// Whether it is the same half of the same pair.
  public override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? SecKey else { return false }
    return isPrivate == other.isPrivate && publicKey == other.publicKey
  }

  /// Equal for equal ones.
  public override var hash: Int { publicKey.hashValue ^ (isPrivate ? 1 : 0) }

  /// What kind of key it is; never any of its bytes.
  public override var description: String {
    let kind = publicKey.type == .rsa ? "RSA" : "elliptic curve"
    return "<SecKey: \(isPrivate ? "private" : "public") key, \(kind), \(publicKey.bits) bits>"
  }
}

/// The number of keys.
public func SecKeyGetTypeID() -> CFTypeID { TypeNumber.of(SecKey.self) }

/// The public half of a key, which is the key itself where it is public.
public func SecKeyCopyPublicKey(_ key: SecKey) -> SecKey? {
  guard key.isPrivate else { return key }
  return SecKey(.publicKey(key.publicKey))
}

/// How many bytes one operation takes and gives at most: the modulus of RSA, a coordinate of a curve.
public func SecKeyGetBlockSize(_ key: SecKey) -> Int { key.publicKey.blockSize }

/// The key outside of a keychain: PKCS #1 for RSA; for a curve `04 || X || Y` of ANSI X9.63, with the
/// private number behind it for a private key.
///
/// The bytes of a private key lie in ordinary memory from then on.
///
/// - Parameters:
///   - key: which.
///   - error: takes `errSecUnimplemented` for a key that never leaves the keychain.
/// - Returns: the bytes, or nil.
@discardableResult
public func SecKeyCopyExternalRepresentation(
  _ key: SecKey,
  _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> CFData? {
  unsafe KeyFailure.reporting(to: error) { () throws(KeyFailure) in
    switch key.material {
    case .publicKey(let key): return Data(key.representation) as NSData
    case .privateKey(let key): return Data(key.copyRepresentation()) as NSData
    case .keychainKey:
      throw KeyFailure(errSecUnimplemented, "This key never leaves the keychain.")
    }
  }
}

/// What is known of a key, under the names of attributes; for a key with an external representation that
/// too.
public func SecKeyCopyAttributes(_ key: SecKey) -> CFDictionary? {
  var attributes: [String: Any] = [
    kSecClass: kSecClassKey,
    kSecAttrKeyClass: key.isPrivate ? kSecAttrKeyClassPrivate : kSecAttrKeyClassPublic,
    kSecAttrKeyType: key.publicKey.type.attribute,
    kSecAttrKeySizeInBits: key.publicKey.bits,
    kSecAttrEffectiveKeySize: key.publicKey.bits,
    kSecAttrIsPermanent: true,
    kSecAttrApplicationLabel: Data(key.publicKey.label),
  ]
  for (attribute, isSo) in key.powers { attributes[attribute.rawValue] = isSo }
  switch key.material {
  case .publicKey(let key): attributes[kSecValueData] = Data(key.representation)
  case .privateKey(let key): attributes[kSecValueData] = Data(key.copyRepresentation())
  case .keychainKey(let key):
    attributes[kSecAttrTokenID] = key.token?.foundation
    attributes[kSecAttrAccessControl] = SecAccessControl(key.accessControl)
  }
  return attributes as NSDictionary
}

extension SecKey {
  /// What the key can be used for and what may become of it, as Apple's keys say it of themselves.
  var powers: [(ItemAttribute, Bool)] {
    let isKept = if case .keychainKey = material { true } else { false }
    let isCurve = publicKey.type == .ellipticCurve
    return [
      (.isPrivate, true), (.isModifiable, true), (.isSensitive, isKept),
      (.wasAlwaysSensitive, isKept), (.isExtractable, !isKept), (.wasNeverExtractable, isKept),
      (.canEncrypt, !isPrivate), (.canDecrypt, isPrivate), (.canSign, isPrivate),
      (.canVerify, !isPrivate), (.canDerive, isPrivate || !isCurve), (.canWrap, !isPrivate),
      (.canUnwrap, isPrivate), (.canSignRecover, false), (.canVerifyRecover, false),
    ]
  }
}

extension ExternalKeyType {
  /// The number of the type in the keychain.
  var number: Int64 {
    switch self {
    case .rsa: 42
    case .ellipticCurve: 73
    }
  }

  /// The value of `kSecAttrKeyType`: the number in digits.
  var attribute: CFString { "\(number)" }

  /// The type that a value of `kSecAttrKeyType` means: a number, or its digits.
  init?(attribute: Any?) {
    switch wholeNumber(attribute) {
    case 42: self = .rsa
    // DSA too means a curve to Apple's, who never had DSA here.
    case 43, 73: self = .ellipticCurve
    default: return nil
    }
  }
}

/// The number that a value of a dictionary is or says in digits.
func wholeNumber(_ value: Any?) -> Int64? {
  switch value {
  case let text as String: Int64(text).flatMap { "\($0)" == text ? $0 : nil }
  case let number as NSNumber: Int64(exactly: number)
  default: nil
  }
}
