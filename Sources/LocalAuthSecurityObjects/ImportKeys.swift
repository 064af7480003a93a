// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are Apple's.

public import Foundation
import LocalAuthSecurity

// Options and results of an import, and shared credentials.

/// `kSecImportExportPassphrase` as an `NSString`.
@_disfavoredOverload public var kSecImportExportPassphrase: NSString {
  LocalAuthSecurity.kSecImportExportPassphrase as NSString
}
/// `kSecImportExportKeychain` as an `NSString`.
@_disfavoredOverload public var kSecImportExportKeychain: NSString {
  LocalAuthSecurity.kSecImportExportKeychain as NSString
}
/// `kSecImportExportAccess` as an `NSString`.
@_disfavoredOverload public var kSecImportExportAccess: NSString {
  LocalAuthSecurity.kSecImportExportAccess as NSString
}
/// `kSecImportToMemoryOnly` as an `NSString`.
@_disfavoredOverload public var kSecImportToMemoryOnly: NSString {
  LocalAuthSecurity.kSecImportToMemoryOnly as NSString
}
/// `kSecImportItemLabel` as an `NSString`.
@_disfavoredOverload public var kSecImportItemLabel: NSString {
  LocalAuthSecurity.kSecImportItemLabel as NSString
}
/// `kSecImportItemKeyID` as an `NSString`.
@_disfavoredOverload public var kSecImportItemKeyID: NSString {
  LocalAuthSecurity.kSecImportItemKeyID as NSString
}
/// `kSecImportItemTrust` as an `NSString`.
@_disfavoredOverload public var kSecImportItemTrust: NSString {
  LocalAuthSecurity.kSecImportItemTrust as NSString
}
/// `kSecImportItemCertChain` as an `NSString`.
@_disfavoredOverload public var kSecImportItemCertChain: NSString {
  LocalAuthSecurity.kSecImportItemCertChain as NSString
}
/// `kSecImportItemIdentity` as an `NSString`.
@_disfavoredOverload public var kSecImportItemIdentity: NSString {
  LocalAuthSecurity.kSecImportItemIdentity as NSString
}
/// `kSecSharedPassword` as an `NSString`.
@_disfavoredOverload public var kSecSharedPassword: NSString {
  LocalAuthSecurity.kSecSharedPassword as NSString
}
