@_exported public import Foundation

// The names of CoreFoundation that callers of Security use, as aliases of Foundation's classes.
// Only `CFString` is Swift's own string: on Linux an `NSString` and a `String` differ as dictionary
// keys.

/// A string.
public typealias CFString = String
/// A dictionary with keys and values of any type.
public typealias CFDictionary = NSDictionary
/// A list.
public typealias CFArray = NSArray
/// Bytes.
public typealias CFData = NSData
/// An unordered set of objects.
public typealias CFSet = NSSet
/// A date.
public typealias CFDate = NSDate
/// A number or a Boolean.
public typealias CFNumber = NSNumber
/// A Boolean.
public typealias CFBoolean = NSNumber
/// An error with domain and code.
public typealias CFError = NSError
/// Any object.
public typealias CFTypeRef = AnyObject
/// A placeholder for allocator arguments; it allocates nothing.
public final class CFAllocator: NSObject, Sendable {}
/// A set of bits.
public typealias CFOptionFlags = UInt
/// A count or an index.
public typealias CFIndex = Int
/// Identifies a type.
public typealias CFTypeID = UInt
/// Foundation's integer type on Apple's platforms.
public typealias NSInteger = Int
/// Four characters as a number, the first in the highest byte.
public typealias FourCharCode = UInt32
/// Seconds since 2001-01-01 UTC.
public typealias CFAbsoluteTime = Double
/// The status that a call returns; 0 is success.
public typealias OSStatus = Int32
/// A hash; equal values have equal hashes.
public typealias CFHashCode = UInt
/// The null object.
public typealias CFNull = NSNull
/// The domain that defines an error's code.
public typealias CFErrorDomain = CFString
extension NSMutableDictionary {
  /// Sets a value, or removes it if `value` is nil.
  ///
  /// Older code builds its queries with it; Foundation has it on Apple's platforms only.
  public func setValue(_ value: Any?, forKey key: String) {
    if let value { self[key] = value } else { removeObject(forKey: key) }
  }
}

/// A pointer through which a call returns its error.
public typealias NSErrorPointer = UnsafeMutablePointer<NSError?>?
/// A pointer through which a call returns an object; nothing is autoreleased here.
public typealias AutoreleasingUnsafeMutablePointer<Pointee> = UnsafeMutablePointer<Pointee>
