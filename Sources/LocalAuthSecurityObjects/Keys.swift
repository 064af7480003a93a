// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are Apple's.

public import Foundation
import LocalAuthSecurity

// Values of the attributes of keys.

/// `kSecAttrKeyClassPublic` as an `NSString`.
@_disfavoredOverload public var kSecAttrKeyClassPublic: NSString {
  LocalAuthSecurity.kSecAttrKeyClassPublic as NSString
}
/// `kSecAttrKeyClassPrivate` as an `NSString`.
@_disfavoredOverload public var kSecAttrKeyClassPrivate: NSString {
  LocalAuthSecurity.kSecAttrKeyClassPrivate as NSString
}
/// `kSecAttrKeyClassSymmetric` as an `NSString`.
@_disfavoredOverload public var kSecAttrKeyClassSymmetric: NSString {
  LocalAuthSecurity.kSecAttrKeyClassSymmetric as NSString
}
/// `kSecAttrKeyTypeRSA` as an `NSString`.
@_disfavoredOverload public var kSecAttrKeyTypeRSA: NSString {
  LocalAuthSecurity.kSecAttrKeyTypeRSA as NSString
}
/// `kSecAttrKeyTypeDSA` as an `NSString`.
@_disfavoredOverload public var kSecAttrKeyTypeDSA: NSString {
  LocalAuthSecurity.kSecAttrKeyTypeDSA as NSString
}
/// `kSecAttrKeyTypeAES` as an `NSString`.
@_disfavoredOverload public var kSecAttrKeyTypeAES: NSString {
  LocalAuthSecurity.kSecAttrKeyTypeAES as NSString
}
/// `kSecAttrKeyTypeDES` as an `NSString`.
@_disfavoredOverload public var kSecAttrKeyTypeDES: NSString {
  LocalAuthSecurity.kSecAttrKeyTypeDES as NSString
}
/// `kSecAttrKeyType3DES` as an `NSString`.
@_disfavoredOverload public var kSecAttrKeyType3DES: NSString {
  LocalAuthSecurity.kSecAttrKeyType3DES as NSString
}
/// `kSecAttrKeyTypeRC4` as an `NSString`.
@_disfavoredOverload public var kSecAttrKeyTypeRC4: NSString {
  LocalAuthSecurity.kSecAttrKeyTypeRC4 as NSString
}
/// `kSecAttrKeyTypeRC2` as an `NSString`.
@_disfavoredOverload public var kSecAttrKeyTypeRC2: NSString {
  LocalAuthSecurity.kSecAttrKeyTypeRC2 as NSString
}
/// `kSecAttrKeyTypeCAST` as an `NSString`.
@_disfavoredOverload public var kSecAttrKeyTypeCAST: NSString {
  LocalAuthSecurity.kSecAttrKeyTypeCAST as NSString
}
/// `kSecAttrKeyTypeECDSA` as an `NSString`.
@_disfavoredOverload public var kSecAttrKeyTypeECDSA: NSString {
  LocalAuthSecurity.kSecAttrKeyTypeECDSA as NSString
}
/// `kSecAttrKeyTypeEC` as an `NSString`.
@_disfavoredOverload public var kSecAttrKeyTypeEC: NSString {
  LocalAuthSecurity.kSecAttrKeyTypeEC as NSString
}
/// `kSecAttrKeyTypeECSECPrimeRandom` as an `NSString`.
@_disfavoredOverload public var kSecAttrKeyTypeECSECPrimeRandom: NSString {
  LocalAuthSecurity.kSecAttrKeyTypeECSECPrimeRandom as NSString
}
/// `kSecAttrPRFHmacAlgSHA1` as an `NSString`.
@_disfavoredOverload public var kSecAttrPRFHmacAlgSHA1: NSString {
  LocalAuthSecurity.kSecAttrPRFHmacAlgSHA1 as NSString
}
/// `kSecAttrPRFHmacAlgSHA224` as an `NSString`.
@_disfavoredOverload public var kSecAttrPRFHmacAlgSHA224: NSString {
  LocalAuthSecurity.kSecAttrPRFHmacAlgSHA224 as NSString
}
/// `kSecAttrPRFHmacAlgSHA256` as an `NSString`.
@_disfavoredOverload public var kSecAttrPRFHmacAlgSHA256: NSString {
  LocalAuthSecurity.kSecAttrPRFHmacAlgSHA256 as NSString
}
/// `kSecAttrPRFHmacAlgSHA384` as an `NSString`.
@_disfavoredOverload public var kSecAttrPRFHmacAlgSHA384: NSString {
  LocalAuthSecurity.kSecAttrPRFHmacAlgSHA384 as NSString
}
/// `kSecAttrPRFHmacAlgSHA512` as an `NSString`.
@_disfavoredOverload public var kSecAttrPRFHmacAlgSHA512: NSString {
  LocalAuthSecurity.kSecAttrPRFHmacAlgSHA512 as NSString
}
/// `kSecAttrTokenIDSecureEnclave` as an `NSString`.
@_disfavoredOverload public var kSecAttrTokenIDSecureEnclave: NSString {
  LocalAuthSecurity.kSecAttrTokenIDSecureEnclave as NSString
}
/// `kSecPrivateKeyAttrs` as an `NSString`.
@_disfavoredOverload public var kSecPrivateKeyAttrs: NSString {
  LocalAuthSecurity.kSecPrivateKeyAttrs as NSString
}
/// `kSecPublicKeyAttrs` as an `NSString`.
@_disfavoredOverload public var kSecPublicKeyAttrs: NSString {
  LocalAuthSecurity.kSecPublicKeyAttrs as NSString
}
