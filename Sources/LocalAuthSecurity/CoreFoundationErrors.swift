// swift-format-ignore-file: AlwaysUseLowerCamelCase, NeverUseImplicitlyUnwrappedOptionals
// The names are Apple's, and so are the optionals of what they return.

/// Makes an error.
///
/// - Parameters:
///   - allocator: ignored.
///   - domain: what `code` is a number of.
///   - code: which error.
///   - userInfo: what else is known, under keys that are strings; others are left out.
/// - Returns: the error, which is never nil.
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

/// What the error's code is a number of.
public func CFErrorGetDomain(_ err: CFError) -> CFErrorDomain! { err.domain }

/// Which error of its domain it is.
public func CFErrorGetCode(_ err: CFError) -> CFIndex { err.code }

/// What else is known about the error.
public func CFErrorCopyUserInfo(_ err: CFError) -> CFDictionary! { err.userInfo as NSDictionary }

/// What happened, for people to read.
public func CFErrorCopyDescription(_ err: CFError) -> CFString! { err.localizedDescription }

/// Why it failed, for people to read; nil where nobody said.
public func CFErrorCopyFailureReason(_ err: CFError) -> CFString! { err.localizedFailureReason }

/// What to do about it, for people to read; nil where nobody said.
public func CFErrorCopyRecoverySuggestion(_ err: CFError) -> CFString! {
  err.localizedRecoverySuggestion
}
