// swift-format-ignore-file: AlwaysUseLowerCamelCase, NeverUseImplicitlyUnwrappedOptionals
// The names are Apple's, and so are the implicitly unwrapped results.

/// Creates an error.
///
/// - Parameters:
///   - allocator: ignored.
///   - domain: the domain that defines `code`.
///   - code: the error's code.
///   - userInfo: further information; entries whose key is not a string are dropped.
/// - Returns: the error, never nil.
public func CFErrorCreate(
  _ allocator: CFAllocator?,
  _ domain: CFErrorDomain?,
  _ code: CFIndex,
  _ userInfo: CFDictionary?
) -> CFError! {
  var known: [String: Any] = [:]
  for (key, value) in userInfo ?? [:] {
    if let key = key as? String { known[key] = value }
  }
  return NSError(domain: domain ?? "", code: code, userInfo: known)
}

/// The domain that defines the error's code.
public func CFErrorGetDomain(_ err: CFError) -> CFErrorDomain! { err.domain }

/// The error's code within its domain.
public func CFErrorGetCode(_ err: CFError) -> CFIndex { err.code }

/// Further information about the error.
public func CFErrorCopyUserInfo(_ err: CFError) -> CFDictionary! { err.userInfo as NSDictionary }

/// A description of the error, for people to read.
public func CFErrorCopyDescription(_ err: CFError) -> CFString! { err.localizedDescription }

/// The reason for the failure, for people to read; nil if the error has none.
public func CFErrorCopyFailureReason(_ err: CFError) -> CFString! { err.localizedFailureReason }

/// A suggestion how to recover, for people to read; nil if the error has none.
public func CFErrorCopyRecoverySuggestion(_ err: CFError) -> CFString! {
  err.localizedRecoverySuggestion
}
