// swift-format-ignore-file: AlwaysUseLowerCamelCase, NeverUseImplicitlyUnwrappedOptionals
// The names are Apple's, and so are the implicitly unwrapped results.

/// Type IDs; a class keeps its ID for as long as the process runs.
package enum TypeNumber {
  /// Gives Booleans a type ID of their own, although their class is `NSNumber`.
  private final class Boolean {}

  /// Classes that share their ID with all subclasses, of which Foundation has many.
  private static var families: [AnyClass] {
    [
      NSString.self, NSData.self, NSDictionary.self, NSArray.self, NSNumber.self, NSDate.self,
      NSError.self, NSNull.self, NSSet.self,
    ]
  }

  /// The type ID of Booleans.
  static var boolean: CFTypeID { of(Boolean.self) }

  /// The type ID of a class.
  package static func of(_ type: AnyClass) -> CFTypeID {
    CFTypeID(bitPattern: ObjectIdentifier(type))
  }

  /// The type ID of an object.
  static func of(_ object: AnyObject) -> CFTypeID {
    if isBoolean(object) { return boolean }
    for family in families where (object as? NSObject)?.isKind(of: family) == true {
      return of(family)
    }
    return of(type(of: object))
  }

  /// Compares identity, because Foundation has a single object for true and one for false.
  private static func isBoolean(_ object: AnyObject) -> Bool {
    object === kCFBooleanTrue || object === kCFBooleanFalse
  }
}

/// The type ID of a value; 0 for nil.
public func CFGetTypeID(_ cf: Any?) -> CFTypeID {
  guard let cf else { return 0 }
  return TypeNumber.of(cf as AnyObject)
}

/// The type ID of strings.
public func CFStringGetTypeID() -> CFTypeID { TypeNumber.of(NSString.self) }
/// The type ID of data.
public func CFDataGetTypeID() -> CFTypeID { TypeNumber.of(NSData.self) }
/// The type ID of dictionaries.
public func CFDictionaryGetTypeID() -> CFTypeID { TypeNumber.of(NSDictionary.self) }
/// The type ID of lists.
public func CFArrayGetTypeID() -> CFTypeID { TypeNumber.of(NSArray.self) }
/// The type ID of numbers other than Booleans.
public func CFNumberGetTypeID() -> CFTypeID { TypeNumber.of(NSNumber.self) }
/// The type ID of Booleans.
public func CFBooleanGetTypeID() -> CFTypeID { TypeNumber.boolean }
/// The type ID of sets.
public func CFSetGetTypeID() -> CFTypeID { TypeNumber.of(NSSet.self) }
/// The type ID of dates.
public func CFDateGetTypeID() -> CFTypeID { TypeNumber.of(NSDate.self) }
/// The type ID of errors.
public func CFErrorGetTypeID() -> CFTypeID { TypeNumber.of(NSError.self) }
/// The type ID of the null object.
public func CFNullGetTypeID() -> CFTypeID { TypeNumber.of(NSNull.self) }

/// Whether two values are equal; objects without an equality of their own are compared by identity.
public func CFEqual(_ cf1: Any?, _ cf2: Any?) -> Bool {
  guard let cf1, let cf2 else { return cf1 == nil && cf2 == nil }
  let first = cf1 as AnyObject
  let second = cf2 as AnyObject
  guard TypeNumber.of(first) == TypeNumber.of(second) else { return false }
  return first === second || (first as? NSObject)?.isEqual(second) == true
}

/// The hash of a value, the same for equal values; 0 for nil.
public func CFHash(_ cf: Any?) -> CFHashCode {
  guard let object = cf.map({ $0 as AnyObject }) else { return 0 }
  return CFHashCode(bitPattern: (object as? NSObject)?.hash ?? ObjectIdentifier(object).hashValue)
}

/// A description of the value, for developers.
public func CFCopyDescription(_ cf: Any?) -> CFString! { cf.map { String(describing: $0) } }
