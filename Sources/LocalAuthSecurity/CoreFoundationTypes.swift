// swift-format-ignore-file: AlwaysUseLowerCamelCase, NeverUseImplicitlyUnwrappedOptionals
// The names are Apple's, and so are the optionals of what they return.

/// The numbers that tell types apart: a class has one for as long as the process runs.
package enum TypeNumber {
  /// A Boolean is a number by its class, and a type of its own by its number.
  private final class Boolean {}

  /// Subclasses, which Foundation has many of, count as these.
  private static var families: [AnyClass] {
    [
      NSString.self, NSData.self, NSDictionary.self, NSArray.self, NSNumber.self, NSDate.self,
      NSError.self, NSNull.self, NSSet.self,
    ]
  }

  /// The number of Booleans.
  static var boolean: CFTypeID { of(Boolean.self) }

  /// The number of a class.
  package static func of(_ type: AnyClass) -> CFTypeID {
    CFTypeID(bitPattern: ObjectIdentifier(type))
  }

  /// The number of an object.
  static func of(_ object: AnyObject) -> CFTypeID {
    if isBoolean(object) { return boolean }
    for family in families where (object as? NSObject)?.isKind(of: family) == true {
      return of(family)
    }
    return of(type(of: object))
  }

  /// Foundation has one object for true and one for false.
  private static func isBoolean(_ object: AnyObject) -> Bool {
    object === kCFBooleanTrue || object === kCFBooleanFalse
  }
}

/// The number of the value's type; 0 for nil.
public func CFGetTypeID(_ cf: Any?) -> CFTypeID {
  guard let cf else { return 0 }
  return TypeNumber.of(cf as AnyObject)
}

/// The number of strings.
public func CFStringGetTypeID() -> CFTypeID { TypeNumber.of(NSString.self) }
/// The number of data.
public func CFDataGetTypeID() -> CFTypeID { TypeNumber.of(NSData.self) }
/// The number of dictionaries.
public func CFDictionaryGetTypeID() -> CFTypeID { TypeNumber.of(NSDictionary.self) }
/// The number of lists.
public func CFArrayGetTypeID() -> CFTypeID { TypeNumber.of(NSArray.self) }
/// The number of numbers, Booleans not among them.
public func CFNumberGetTypeID() -> CFTypeID { TypeNumber.of(NSNumber.self) }
/// The number of Booleans.
public func CFBooleanGetTypeID() -> CFTypeID { TypeNumber.boolean }
/// The number of sets.
public func CFSetGetTypeID() -> CFTypeID { TypeNumber.of(NSSet.self) }
/// The number of dates.
public func CFDateGetTypeID() -> CFTypeID { TypeNumber.of(NSDate.self) }
/// The number of errors.
public func CFErrorGetTypeID() -> CFTypeID { TypeNumber.of(NSError.self) }
/// The number of the null object.
public func CFNullGetTypeID() -> CFTypeID { TypeNumber.of(NSNull.self) }

/// Whether two values are equal; two of types that know no equality are so when they are the same.
public func CFEqual(_ cf1: Any?, _ cf2: Any?) -> Bool {
  guard let cf1, let cf2 else { return cf1 == nil && cf2 == nil }
  let first = cf1 as AnyObject
  let second = cf2 as AnyObject
  guard TypeNumber.of(first) == TypeNumber.of(second) else { return false }
  return first === second || (first as? NSObject)?.isEqual(second) == true
}

/// A number that is equal for equal values; 0 for nil.
public func CFHash(_ cf: Any?) -> CFHashCode {
  guard let object = cf.map({ $0 as AnyObject }) else { return 0 }
  return CFHashCode(bitPattern: (object as? NSObject)?.hash ?? ObjectIdentifier(object).hashValue)
}

/// The value in words, for developers.
public func CFCopyDescription(_ cf: Any?) -> CFString! { cf.map { String(describing: $0) } }
