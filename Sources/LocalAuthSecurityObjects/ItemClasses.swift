// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are Apple's.

public import Foundation
import LocalAuthSecurity

// The classes of items.

/// `kSecClass` as an object.
@_disfavoredOverload public var kSecClass: NSString { LocalAuthSecurity.kSecClass as NSString }
/// `kSecClassGenericPassword` as an object.
@_disfavoredOverload public var kSecClassGenericPassword: NSString {
  LocalAuthSecurity.kSecClassGenericPassword as NSString
}
/// `kSecClassInternetPassword` as an object.
@_disfavoredOverload public var kSecClassInternetPassword: NSString {
  LocalAuthSecurity.kSecClassInternetPassword as NSString
}
/// `kSecClassCertificate` as an object.
@_disfavoredOverload public var kSecClassCertificate: NSString {
  LocalAuthSecurity.kSecClassCertificate as NSString
}
/// `kSecClassKey` as an object.
@_disfavoredOverload public var kSecClassKey: NSString {
  LocalAuthSecurity.kSecClassKey as NSString
}
/// `kSecClassIdentity` as an object.
@_disfavoredOverload public var kSecClassIdentity: NSString {
  LocalAuthSecurity.kSecClassIdentity as NSString
}
