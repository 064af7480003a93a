@_exported public import Foundation

// The names of CoreFoundation that callers of Security use, as what Foundation has for them here: a
// string is Swift's own, because only that equals itself as a key of a dictionary; everything else is
// the class.

/// A string.
public typealias CFString = String
/// A dictionary of any keys and values.
public typealias CFDictionary = NSDictionary
/// A list.
public typealias CFArray = NSArray
/// Bytes.
public typealias CFData = NSData
/// Objects without an order.
public typealias CFSet = NSSet
/// A date.
public typealias CFDate = NSDate
/// A number, a Boolean among them.
public typealias CFNumber = NSNumber
/// A Boolean.
public typealias CFBoolean = NSNumber
/// An error with domain and code.
public typealias CFError = NSError
/// Any object.
public typealias CFTypeRef = AnyObject
/// Nothing is allocated by it: it is there to be passed.
public final class CFAllocator: NSObject, Sendable {}
/// A set of bits.
public typealias CFOptionFlags = UInt
/// A count or a place.
public typealias CFIndex = Int
/// Tells types apart.
public typealias CFTypeID = UInt
/// A whole number, as Foundation calls it on Apple's platforms.
public typealias NSInteger = Int
/// Four characters as a number, the first in the highest byte.
public typealias FourCharCode = UInt32
/// Seconds since 2001-01-01 UTC.
public typealias CFAbsoluteTime = Double
/// How a call ended; 0 is success.
public typealias OSStatus = Int32
/// A number that is equal for equal values.
public typealias CFHashCode = UInt
/// Nothing, as an object.
public typealias CFNull = NSNull
/// What an error's code is a number of.
public typealias CFErrorDomain = CFString
extension NSMutableDictionary {
  /// Sets a value, or removes it with nil: older code builds its queries so, and Foundation has it for
  /// Apple's platforms only.
  public func setValue(_ value: Any?, forKey key: String) {
    if let value { self[key] = value } else { removeObject(forKey: key) }
  }
}

/// Where a call can put its error.
public typealias NSErrorPointer = UnsafeMutablePointer<NSError?>?
/// Where a call can put an object; nothing is released by itself here.
public typealias AutoreleasingUnsafeMutablePointer<Pointee> = UnsafeMutablePointer<Pointee>
