// swift-format-ignore-file: AlwaysUseLowerCamelCase, NeverUseImplicitlyUnwrappedOptionals
// The names are Apple's, and so are the optionals: clients unwrap some of these values.

/// True.
public let kCFBooleanTrue: CFBoolean! = NSNumber(value: true)
/// False.
public let kCFBooleanFalse: CFBoolean! = NSNumber(value: false)
/// Nothing, where a collection needs an object.
public let kCFNull: CFNull! = NSNull()
/// The allocator that is taken when none is named; none is needed.
public let kCFAllocatorDefault: CFAllocator! = nil
/// The allocator that does nothing: who passes it to free something keeps it.
public let kCFAllocatorNull: CFAllocator! = CFAllocator()
/// The key of the identifier in what a bundle says of itself.
public let kCFBundleIdentifierKey: CFString! = "CFBundleIdentifier"

/// The domain of errors that are an `OSStatus`.
public let kCFErrorDomainOSStatus: CFErrorDomain! = NSOSStatusErrorDomain
/// The domain of errors that are an `errno`.
public let kCFErrorDomainPOSIX: CFErrorDomain! = NSPOSIXErrorDomain
/// The domain of Foundation's errors.
public let kCFErrorDomainCocoa: CFErrorDomain! = NSCocoaErrorDomain
/// The domain of errors of Mach, of which there are none here.
public let kCFErrorDomainMach: CFErrorDomain! = "NSMachErrorDomain"

/// The key of an error's description, for people to read.
public let kCFErrorLocalizedDescriptionKey: CFString! = NSLocalizedDescriptionKey
/// The key of why it failed, for people to read.
public let kCFErrorLocalizedFailureReasonKey: CFString! = NSLocalizedFailureReasonErrorKey
/// The key of what to do about it, for people to read.
public let kCFErrorLocalizedRecoverySuggestionKey: CFString! =
  NSLocalizedRecoverySuggestionErrorKey
/// The key of a description for developers.
public let kCFErrorDescriptionKey: CFString! = "NSDescription"
/// The key of the error that led to this one.
public let kCFErrorUnderlyingErrorKey: CFString! = NSUnderlyingErrorKey
