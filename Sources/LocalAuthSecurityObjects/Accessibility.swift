// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are Apple's.

public import Foundation
import LocalAuthSecurity

// When an item can be opened, and other values of attributes.

/// `kSecAttrAccessibleWhenUnlocked` as an `NSString`.
@_disfavoredOverload public var kSecAttrAccessibleWhenUnlocked: NSString {
  LocalAuthSecurity.kSecAttrAccessibleWhenUnlocked as NSString
}
/// `kSecAttrAccessibleAfterFirstUnlock` as an `NSString`.
@_disfavoredOverload public var kSecAttrAccessibleAfterFirstUnlock: NSString {
  LocalAuthSecurity.kSecAttrAccessibleAfterFirstUnlock as NSString
}
/// `kSecAttrAccessibleAlways` as an `NSString`.
@_disfavoredOverload public var kSecAttrAccessibleAlways: NSString {
  LocalAuthSecurity.kSecAttrAccessibleAlways as NSString
}
/// `kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly` as an `NSString`.
@_disfavoredOverload public var kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly: NSString {
  LocalAuthSecurity.kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly as NSString
}
/// `kSecAttrAccessibleWhenUnlockedThisDeviceOnly` as an `NSString`.
@_disfavoredOverload public var kSecAttrAccessibleWhenUnlockedThisDeviceOnly: NSString {
  LocalAuthSecurity.kSecAttrAccessibleWhenUnlockedThisDeviceOnly as NSString
}
/// `kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly` as an `NSString`.
@_disfavoredOverload public var kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly: NSString {
  LocalAuthSecurity.kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly as NSString
}
/// `kSecAttrAccessibleAlwaysThisDeviceOnly` as an `NSString`.
@_disfavoredOverload public var kSecAttrAccessibleAlwaysThisDeviceOnly: NSString {
  LocalAuthSecurity.kSecAttrAccessibleAlwaysThisDeviceOnly as NSString
}
/// `kSecAttrSynchronizableAny` as an `NSString`.
@_disfavoredOverload public var kSecAttrSynchronizableAny: NSString {
  LocalAuthSecurity.kSecAttrSynchronizableAny as NSString
}
/// `kSecAttrAccessGroupToken` as an `NSString`.
@_disfavoredOverload public var kSecAttrAccessGroupToken: NSString {
  LocalAuthSecurity.kSecAttrAccessGroupToken as NSString
}
