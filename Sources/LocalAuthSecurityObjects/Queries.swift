// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are Apple's.

public import Foundation
import LocalAuthSecurity

// The keys of a call: what it matches, returns, takes as a value, and uses.

/// `kSecMatchPolicy` as an `NSString`.
@_disfavoredOverload public var kSecMatchPolicy: NSString {
  LocalAuthSecurity.kSecMatchPolicy as NSString
}
/// `kSecMatchItemList` as an `NSString`.
@_disfavoredOverload public var kSecMatchItemList: NSString {
  LocalAuthSecurity.kSecMatchItemList as NSString
}
/// `kSecMatchSearchList` as an `NSString`.
@_disfavoredOverload public var kSecMatchSearchList: NSString {
  LocalAuthSecurity.kSecMatchSearchList as NSString
}
/// `kSecMatchIssuers` as an `NSString`.
@_disfavoredOverload public var kSecMatchIssuers: NSString {
  LocalAuthSecurity.kSecMatchIssuers as NSString
}
/// `kSecMatchEmailAddressIfPresent` as an `NSString`.
@_disfavoredOverload public var kSecMatchEmailAddressIfPresent: NSString {
  LocalAuthSecurity.kSecMatchEmailAddressIfPresent as NSString
}
/// `kSecMatchSubjectContains` as an `NSString`.
@_disfavoredOverload public var kSecMatchSubjectContains: NSString {
  LocalAuthSecurity.kSecMatchSubjectContains as NSString
}
/// `kSecMatchHostOrSubdomainOfHost` as an `NSString`.
@_disfavoredOverload public var kSecMatchHostOrSubdomainOfHost: NSString {
  LocalAuthSecurity.kSecMatchHostOrSubdomainOfHost as NSString
}
/// `kSecMatchSubjectStartsWith` as an `NSString`.
@_disfavoredOverload public var kSecMatchSubjectStartsWith: NSString {
  LocalAuthSecurity.kSecMatchSubjectStartsWith as NSString
}
/// `kSecMatchSubjectEndsWith` as an `NSString`.
@_disfavoredOverload public var kSecMatchSubjectEndsWith: NSString {
  LocalAuthSecurity.kSecMatchSubjectEndsWith as NSString
}
/// `kSecMatchSubjectWholeString` as an `NSString`.
@_disfavoredOverload public var kSecMatchSubjectWholeString: NSString {
  LocalAuthSecurity.kSecMatchSubjectWholeString as NSString
}
/// `kSecMatchCaseInsensitive` as an `NSString`.
@_disfavoredOverload public var kSecMatchCaseInsensitive: NSString {
  LocalAuthSecurity.kSecMatchCaseInsensitive as NSString
}
/// `kSecMatchDiacriticInsensitive` as an `NSString`.
@_disfavoredOverload public var kSecMatchDiacriticInsensitive: NSString {
  LocalAuthSecurity.kSecMatchDiacriticInsensitive as NSString
}
/// `kSecMatchWidthInsensitive` as an `NSString`.
@_disfavoredOverload public var kSecMatchWidthInsensitive: NSString {
  LocalAuthSecurity.kSecMatchWidthInsensitive as NSString
}
/// `kSecMatchTrustedOnly` as an `NSString`.
@_disfavoredOverload public var kSecMatchTrustedOnly: NSString {
  LocalAuthSecurity.kSecMatchTrustedOnly as NSString
}
/// `kSecMatchValidOnDate` as an `NSString`.
@_disfavoredOverload public var kSecMatchValidOnDate: NSString {
  LocalAuthSecurity.kSecMatchValidOnDate as NSString
}
/// `kSecMatchLimit` as an `NSString`.
@_disfavoredOverload public var kSecMatchLimit: NSString {
  LocalAuthSecurity.kSecMatchLimit as NSString
}
/// `kSecMatchLimitOne` as an `NSString`.
@_disfavoredOverload public var kSecMatchLimitOne: NSString {
  LocalAuthSecurity.kSecMatchLimitOne as NSString
}
/// `kSecMatchLimitAll` as an `NSString`.
@_disfavoredOverload public var kSecMatchLimitAll: NSString {
  LocalAuthSecurity.kSecMatchLimitAll as NSString
}
/// `kSecReturnData` as an `NSString`.
@_disfavoredOverload public var kSecReturnData: NSString {
  LocalAuthSecurity.kSecReturnData as NSString
}
/// `kSecReturnAttributes` as an `NSString`.
@_disfavoredOverload public var kSecReturnAttributes: NSString {
  LocalAuthSecurity.kSecReturnAttributes as NSString
}
/// `kSecReturnRef` as an `NSString`.
@_disfavoredOverload public var kSecReturnRef: NSString {
  LocalAuthSecurity.kSecReturnRef as NSString
}
/// `kSecReturnPersistentRef` as an `NSString`.
@_disfavoredOverload public var kSecReturnPersistentRef: NSString {
  LocalAuthSecurity.kSecReturnPersistentRef as NSString
}
/// `kSecValueData` as an `NSString`.
@_disfavoredOverload public var kSecValueData: NSString {
  LocalAuthSecurity.kSecValueData as NSString
}
/// `kSecValueRef` as an `NSString`.
@_disfavoredOverload public var kSecValueRef: NSString {
  LocalAuthSecurity.kSecValueRef as NSString
}
/// `kSecValuePersistentRef` as an `NSString`.
@_disfavoredOverload public var kSecValuePersistentRef: NSString {
  LocalAuthSecurity.kSecValuePersistentRef as NSString
}
/// `kSecUseItemList` as an `NSString`.
@_disfavoredOverload public var kSecUseItemList: NSString {
  LocalAuthSecurity.kSecUseItemList as NSString
}
/// `kSecUseKeychain` as an `NSString`.
@_disfavoredOverload public var kSecUseKeychain: NSString {
  LocalAuthSecurity.kSecUseKeychain as NSString
}
/// `kSecUseOperationPrompt` as an `NSString`.
@_disfavoredOverload public var kSecUseOperationPrompt: NSString {
  LocalAuthSecurity.kSecUseOperationPrompt as NSString
}
/// `kSecUseNoAuthenticationUI` as an `NSString`.
@_disfavoredOverload public var kSecUseNoAuthenticationUI: NSString {
  LocalAuthSecurity.kSecUseNoAuthenticationUI as NSString
}
/// `kSecUseAuthenticationUI` as an `NSString`.
@_disfavoredOverload public var kSecUseAuthenticationUI: NSString {
  LocalAuthSecurity.kSecUseAuthenticationUI as NSString
}
/// `kSecUseAuthenticationContext` as an `NSString`.
@_disfavoredOverload public var kSecUseAuthenticationContext: NSString {
  LocalAuthSecurity.kSecUseAuthenticationContext as NSString
}
/// `kSecUseDataProtectionKeychain` as an `NSString`.
@_disfavoredOverload public var kSecUseDataProtectionKeychain: NSString {
  LocalAuthSecurity.kSecUseDataProtectionKeychain as NSString
}
/// `kSecUseUserIndependentKeychain` as an `NSString`.
@_disfavoredOverload public var kSecUseUserIndependentKeychain: NSString {
  LocalAuthSecurity.kSecUseUserIndependentKeychain as NSString
}
/// `kSecUseAuthenticationUIAllow` as an `NSString`.
@_disfavoredOverload public var kSecUseAuthenticationUIAllow: NSString {
  LocalAuthSecurity.kSecUseAuthenticationUIAllow as NSString
}
/// `kSecUseAuthenticationUIFail` as an `NSString`.
@_disfavoredOverload public var kSecUseAuthenticationUIFail: NSString {
  LocalAuthSecurity.kSecUseAuthenticationUIFail as NSString
}
/// `kSecUseAuthenticationUISkip` as an `NSString`.
@_disfavoredOverload public var kSecUseAuthenticationUISkip: NSString {
  LocalAuthSecurity.kSecUseAuthenticationUISkip as NSString
}
