// swift-format-ignore-file: AlwaysUseLowerCamelCase, NeverUseImplicitlyUnwrappedOptionals
// The names are Apple's, and so are the implicitly unwrapped types: clients unwrap some of these
// values.

/// True.
public let kCFBooleanTrue: CFBoolean! = NSNumber(value: true)
/// False.
public let kCFBooleanFalse: CFBoolean! = NSNumber(value: false)
/// The null object, for collections that need an object.
public let kCFNull: CFNull! = NSNull()
/// The default allocator; nil, because none is needed.
public let kCFAllocatorDefault: CFAllocator! = nil
/// The allocator that does nothing: passed as a deallocator, it leaves the memory to the caller.
public let kCFAllocatorNull: CFAllocator! = CFAllocator()
/// The key of the identifier in a bundle's information dictionary.
public let kCFBundleIdentifierKey: CFString! = "CFBundleIdentifier"

/// The domain of errors whose code is an `OSStatus`.
public let kCFErrorDomainOSStatus: CFErrorDomain! = NSOSStatusErrorDomain
/// The domain of errors whose code is an `errno`.
public let kCFErrorDomainPOSIX: CFErrorDomain! = NSPOSIXErrorDomain
/// The domain of Foundation's errors.
public let kCFErrorDomainCocoa: CFErrorDomain! = NSCocoaErrorDomain
/// The domain of Mach errors, of which there are none here.
public let kCFErrorDomainMach: CFErrorDomain! = "NSMachErrorDomain"

/// The key of an error's description, for people to read.
public let kCFErrorLocalizedDescriptionKey: CFString! = NSLocalizedDescriptionKey
/// The key of an error's failure reason, for people to read.
public let kCFErrorLocalizedFailureReasonKey: CFString! = NSLocalizedFailureReasonErrorKey
/// The key of an error's recovery suggestion, for people to read.
public let kCFErrorLocalizedRecoverySuggestionKey: CFString! =
  NSLocalizedRecoverySuggestionErrorKey
/// The key of an error's description, for developers.
public let kCFErrorDescriptionKey: CFString! = "NSDescription"
/// The key of the error that caused this one.
public let kCFErrorUnderlyingErrorKey: CFString! = NSUnderlyingErrorKey
