// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are Apple's.

package import LocalAuthKeychain

/// When an item can be opened, and what must be proven first.
public final class SecAccessControl: NSObject, Sendable {
  /// The same as the keychain has it.
  package let accessControl: AccessControl

  /// The object of `accessControl`.
  package init(_ accessControl: AccessControl) { self.accessControl = accessControl }

  /// Whether the other asks for the same.
  public override func isEqual(_ object: Any?) -> Bool {
    (object as? SecAccessControl)?.accessControl == accessControl
  }

  /// Equal for equal ones.
  public override var hash: Int { accessControl.hashValue }
}

/// What must be proven before an item opens.
public struct SecAccessControlCreateFlags: OptionSet, Sendable {
  /// One bit a flag, with Apple's values.
  public let rawValue: CFOptionFlags

  /// The set with these bits.
  public init(rawValue: CFOptionFlags) { self.rawValue = rawValue }

  private init(_ flags: AccessControlFlags) { rawValue = CFOptionFlags(flags.rawValue) }

  /// A finger, or the passcode.
  public static let userPresence = Self(.userPresence)
  /// Any finger that is enrolled when it is asked for.
  public static let biometryAny = Self(.biometryAny)
  /// A finger of the set that is enrolled when the item is added.
  public static let biometryCurrentSet = Self(.biometryCurrentSet)
  /// The passcode.
  public static let devicePasscode = Self(.devicePasscode)
  /// A paired device nearby, of which there is none here.
  public static let companion = Self(.companion)
  /// The same under an older name.
  public static let watch = Self(.companion)
  /// One of what is named is enough.
  public static let or = Self(.or)
  /// All that is named is needed.
  public static let and = Self(.and)
  /// A private key is used on that proof, and nothing else is done with it.
  public static let privateKeyUsage = Self(.privateKeyUsage)
  /// A password of the application's, besides.
  public static let applicationPassword = Self(.applicationPassword)
  /// The older name of `biometryAny`.
  public static let touchIDAny = biometryAny
  /// The older name of `biometryCurrentSet`.
  public static let touchIDCurrentSet = biometryCurrentSet
}

/// Makes an access control; whether fingers or a passcode are there is looked at when an item is added.
///
/// - Parameters:
///   - allocator: ignored.
///   - protection: one of `kSecAttrAccessible…`.
///   - flags: what must be proven.
///   - error: takes `errSecParam` where the protection is none or the flags exclude each other.
/// - Returns: the access control, or nil.
@discardableResult
public func SecAccessControlCreateWithFlags(
  _ allocator: CFAllocator?,
  _ protection: Any,
  _ flags: SecAccessControlCreateFlags,
  _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> SecAccessControl? {
  do throws(KeychainError) {
    return SecAccessControl(
      try AccessControl(
        protection: protection as? String,
        flags: AccessControlFlags(rawValue: UInt64(flags.rawValue))
      )
    )
  } catch let failure {
    unsafe error?.pointee = Unmanaged.passRetained(KeyFailure(failure.status.rawValue).error)
    return nil
  }
}

/// The number of access controls.
public func SecAccessControlGetTypeID() -> CFTypeID { TypeNumber.of(SecAccessControl.self) }
