// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are Apple's.

public import Foundation
import LocalAuthSecurity

// The attributes of items; most names have four letters.

/// `kSecAttrAccessible` as an `NSString`.
@_disfavoredOverload public var kSecAttrAccessible: NSString {
  LocalAuthSecurity.kSecAttrAccessible as NSString
}
/// `kSecAttrAccess` as an `NSString`.
@_disfavoredOverload public var kSecAttrAccess: NSString {
  LocalAuthSecurity.kSecAttrAccess as NSString
}
/// `kSecAttrAccessControl` as an `NSString`.
@_disfavoredOverload public var kSecAttrAccessControl: NSString {
  LocalAuthSecurity.kSecAttrAccessControl as NSString
}
/// `kSecAttrAccessGroup` as an `NSString`.
@_disfavoredOverload public var kSecAttrAccessGroup: NSString {
  LocalAuthSecurity.kSecAttrAccessGroup as NSString
}
/// `kSecAttrSynchronizable` as an `NSString`.
@_disfavoredOverload public var kSecAttrSynchronizable: NSString {
  LocalAuthSecurity.kSecAttrSynchronizable as NSString
}
/// `kSecAttrCreationDate` as an `NSString`.
@_disfavoredOverload public var kSecAttrCreationDate: NSString {
  LocalAuthSecurity.kSecAttrCreationDate as NSString
}
/// `kSecAttrModificationDate` as an `NSString`.
@_disfavoredOverload public var kSecAttrModificationDate: NSString {
  LocalAuthSecurity.kSecAttrModificationDate as NSString
}
/// `kSecAttrDescription` as an `NSString`.
@_disfavoredOverload public var kSecAttrDescription: NSString {
  LocalAuthSecurity.kSecAttrDescription as NSString
}
/// `kSecAttrComment` as an `NSString`.
@_disfavoredOverload public var kSecAttrComment: NSString {
  LocalAuthSecurity.kSecAttrComment as NSString
}
/// `kSecAttrCreator` as an `NSString`.
@_disfavoredOverload public var kSecAttrCreator: NSString {
  LocalAuthSecurity.kSecAttrCreator as NSString
}
/// `kSecAttrType` as an `NSString`.
@_disfavoredOverload public var kSecAttrType: NSString {
  LocalAuthSecurity.kSecAttrType as NSString
}
/// `kSecAttrLabel` as an `NSString`.
@_disfavoredOverload public var kSecAttrLabel: NSString {
  LocalAuthSecurity.kSecAttrLabel as NSString
}
/// `kSecAttrIsInvisible` as an `NSString`.
@_disfavoredOverload public var kSecAttrIsInvisible: NSString {
  LocalAuthSecurity.kSecAttrIsInvisible as NSString
}
/// `kSecAttrIsNegative` as an `NSString`.
@_disfavoredOverload public var kSecAttrIsNegative: NSString {
  LocalAuthSecurity.kSecAttrIsNegative as NSString
}
/// `kSecAttrAccount` as an `NSString`.
@_disfavoredOverload public var kSecAttrAccount: NSString {
  LocalAuthSecurity.kSecAttrAccount as NSString
}
/// `kSecAttrService` as an `NSString`.
@_disfavoredOverload public var kSecAttrService: NSString {
  LocalAuthSecurity.kSecAttrService as NSString
}
/// `kSecAttrGeneric` as an `NSString`.
@_disfavoredOverload public var kSecAttrGeneric: NSString {
  LocalAuthSecurity.kSecAttrGeneric as NSString
}
/// `kSecAttrSecurityDomain` as an `NSString`.
@_disfavoredOverload public var kSecAttrSecurityDomain: NSString {
  LocalAuthSecurity.kSecAttrSecurityDomain as NSString
}
/// `kSecAttrServer` as an `NSString`.
@_disfavoredOverload public var kSecAttrServer: NSString {
  LocalAuthSecurity.kSecAttrServer as NSString
}
/// `kSecAttrProtocol` as an `NSString`.
@_disfavoredOverload public var kSecAttrProtocol: NSString {
  LocalAuthSecurity.kSecAttrProtocol as NSString
}
/// `kSecAttrAuthenticationType` as an `NSString`.
@_disfavoredOverload public var kSecAttrAuthenticationType: NSString {
  LocalAuthSecurity.kSecAttrAuthenticationType as NSString
}
/// `kSecAttrPort` as an `NSString`.
@_disfavoredOverload public var kSecAttrPort: NSString {
  LocalAuthSecurity.kSecAttrPort as NSString
}
/// `kSecAttrPath` as an `NSString`.
@_disfavoredOverload public var kSecAttrPath: NSString {
  LocalAuthSecurity.kSecAttrPath as NSString
}
/// `kSecAttrSubject` as an `NSString`.
@_disfavoredOverload public var kSecAttrSubject: NSString {
  LocalAuthSecurity.kSecAttrSubject as NSString
}
/// `kSecAttrIssuer` as an `NSString`.
@_disfavoredOverload public var kSecAttrIssuer: NSString {
  LocalAuthSecurity.kSecAttrIssuer as NSString
}
/// `kSecAttrSerialNumber` as an `NSString`.
@_disfavoredOverload public var kSecAttrSerialNumber: NSString {
  LocalAuthSecurity.kSecAttrSerialNumber as NSString
}
/// `kSecAttrSubjectKeyID` as an `NSString`.
@_disfavoredOverload public var kSecAttrSubjectKeyID: NSString {
  LocalAuthSecurity.kSecAttrSubjectKeyID as NSString
}
/// `kSecAttrPublicKeyHash` as an `NSString`.
@_disfavoredOverload public var kSecAttrPublicKeyHash: NSString {
  LocalAuthSecurity.kSecAttrPublicKeyHash as NSString
}
/// `kSecAttrCertificateType` as an `NSString`.
@_disfavoredOverload public var kSecAttrCertificateType: NSString {
  LocalAuthSecurity.kSecAttrCertificateType as NSString
}
/// `kSecAttrCertificateEncoding` as an `NSString`.
@_disfavoredOverload public var kSecAttrCertificateEncoding: NSString {
  LocalAuthSecurity.kSecAttrCertificateEncoding as NSString
}
/// `kSecAttrKeyClass` as an `NSString`.
@_disfavoredOverload public var kSecAttrKeyClass: NSString {
  LocalAuthSecurity.kSecAttrKeyClass as NSString
}
/// `kSecAttrApplicationLabel` as an `NSString`.
@_disfavoredOverload public var kSecAttrApplicationLabel: NSString {
  LocalAuthSecurity.kSecAttrApplicationLabel as NSString
}
/// `kSecAttrIsPermanent` as an `NSString`.
@_disfavoredOverload public var kSecAttrIsPermanent: NSString {
  LocalAuthSecurity.kSecAttrIsPermanent as NSString
}
/// `kSecAttrIsSensitive` as an `NSString`.
@_disfavoredOverload public var kSecAttrIsSensitive: NSString {
  LocalAuthSecurity.kSecAttrIsSensitive as NSString
}
/// `kSecAttrIsExtractable` as an `NSString`.
@_disfavoredOverload public var kSecAttrIsExtractable: NSString {
  LocalAuthSecurity.kSecAttrIsExtractable as NSString
}
/// `kSecAttrApplicationTag` as an `NSString`.
@_disfavoredOverload public var kSecAttrApplicationTag: NSString {
  LocalAuthSecurity.kSecAttrApplicationTag as NSString
}
/// `kSecAttrKeyType` as an `NSString`.
@_disfavoredOverload public var kSecAttrKeyType: NSString {
  LocalAuthSecurity.kSecAttrKeyType as NSString
}
/// `kSecAttrPRF` as an `NSString`.
@_disfavoredOverload public var kSecAttrPRF: NSString { LocalAuthSecurity.kSecAttrPRF as NSString }
/// `kSecAttrSalt` as an `NSString`.
@_disfavoredOverload public var kSecAttrSalt: NSString {
  LocalAuthSecurity.kSecAttrSalt as NSString
}
/// `kSecAttrRounds` as an `NSString`.
@_disfavoredOverload public var kSecAttrRounds: NSString {
  LocalAuthSecurity.kSecAttrRounds as NSString
}
/// `kSecAttrKeySizeInBits` as an `NSString`.
@_disfavoredOverload public var kSecAttrKeySizeInBits: NSString {
  LocalAuthSecurity.kSecAttrKeySizeInBits as NSString
}
/// `kSecAttrEffectiveKeySize` as an `NSString`.
@_disfavoredOverload public var kSecAttrEffectiveKeySize: NSString {
  LocalAuthSecurity.kSecAttrEffectiveKeySize as NSString
}
/// `kSecAttrCanEncrypt` as an `NSString`.
@_disfavoredOverload public var kSecAttrCanEncrypt: NSString {
  LocalAuthSecurity.kSecAttrCanEncrypt as NSString
}
/// `kSecAttrCanDecrypt` as an `NSString`.
@_disfavoredOverload public var kSecAttrCanDecrypt: NSString {
  LocalAuthSecurity.kSecAttrCanDecrypt as NSString
}
/// `kSecAttrCanDerive` as an `NSString`.
@_disfavoredOverload public var kSecAttrCanDerive: NSString {
  LocalAuthSecurity.kSecAttrCanDerive as NSString
}
/// `kSecAttrCanSign` as an `NSString`.
@_disfavoredOverload public var kSecAttrCanSign: NSString {
  LocalAuthSecurity.kSecAttrCanSign as NSString
}
/// `kSecAttrCanVerify` as an `NSString`.
@_disfavoredOverload public var kSecAttrCanVerify: NSString {
  LocalAuthSecurity.kSecAttrCanVerify as NSString
}
/// `kSecAttrCanWrap` as an `NSString`.
@_disfavoredOverload public var kSecAttrCanWrap: NSString {
  LocalAuthSecurity.kSecAttrCanWrap as NSString
}
/// `kSecAttrCanUnwrap` as an `NSString`.
@_disfavoredOverload public var kSecAttrCanUnwrap: NSString {
  LocalAuthSecurity.kSecAttrCanUnwrap as NSString
}
/// `kSecAttrSyncViewHint` as an `NSString`.
@_disfavoredOverload public var kSecAttrSyncViewHint: NSString {
  LocalAuthSecurity.kSecAttrSyncViewHint as NSString
}
/// `kSecAttrTokenID` as an `NSString`.
@_disfavoredOverload public var kSecAttrTokenID: NSString {
  LocalAuthSecurity.kSecAttrTokenID as NSString
}
/// `kSecAttrPersistantReference` as an `NSString`.
@_disfavoredOverload public var kSecAttrPersistantReference: NSString {
  LocalAuthSecurity.kSecAttrPersistantReference as NSString
}
/// `kSecAttrPersistentReference` as an `NSString`.
@_disfavoredOverload public var kSecAttrPersistentReference: NSString {
  LocalAuthSecurity.kSecAttrPersistentReference as NSString
}
