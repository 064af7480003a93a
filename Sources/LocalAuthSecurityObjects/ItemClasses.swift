// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are Apple's.

public import Foundation
import LocalAuthSecurity

// The classes of items.

/// `kSecClass` as an `NSString`.
@_disfavoredOverload public var kSecClass: NSString { LocalAuthSecurity.kSecClass as NSString }
/// `kSecClassGenericPassword` as an `NSString`.
@_disfavoredOverload public var kSecClassGenericPassword: NSString {
  LocalAuthSecurity.kSecClassGenericPassword as NSString
}
/// `kSecClassInternetPassword` as an `NSString`.
@_disfavoredOverload public var kSecClassInternetPassword: NSString {
  LocalAuthSecurity.kSecClassInternetPassword as NSString
}
/// `kSecClassCertificate` as an `NSString`.
@_disfavoredOverload public var kSecClassCertificate: NSString {
  LocalAuthSecurity.kSecClassCertificate as NSString
}
/// `kSecClassKey` as an `NSString`.
@_disfavoredOverload public var kSecClassKey: NSString {
  LocalAuthSecurity.kSecClassKey as NSString
}
/// `kSecClassIdentity` as an `NSString`.
@_disfavoredOverload public var kSecClassIdentity: NSString {
  LocalAuthSecurity.kSecClassIdentity as NSString
}
