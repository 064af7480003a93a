public import Foundation
import LocalAuthSecurity

/// The key of an item's class, as an object.
@_disfavoredOverload public var kSecClass: NSString { LocalAuthSecurity.kSecClass as NSString }
