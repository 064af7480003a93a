// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are Apple's.

package import LocalAuthKeychain

/// When an item can be opened, and what must be proven first.
public final class SecAccessControl: NSObject, Sendable {
  /// The keychain's form of it.
  package let accessControl: AccessControl

  /// An object for `accessControl`.
  package init(_ accessControl: AccessControl) { self.accessControl = accessControl }

  /// Whether `object` is an access control with the same requirements.
  public override func isEqual(_ object: Any?) -> Bool {
    (object as? SecAccessControl)?.accessControl == accessControl
  }

  /// Equal access controls have equal hashes.
  public override var hash: Int { accessControl.hashValue }
}

/// What must be proven before an item opens.
public struct SecAccessControlCreateFlags: OptionSet, Sendable {
  /// One bit per flag, with Apple's values.
  public let rawValue: CFOptionFlags

  /// The set with these bits.
  public init(rawValue: CFOptionFlags) { self.rawValue = rawValue }

  private init(_ flags: AccessControlFlags) { rawValue = CFOptionFlags(flags.rawValue) }

  /// A finger or the passcode.
  public static let userPresence = Self(.userPresence)
  /// Any finger enrolled at the time of the evaluation.
  public static let biometryAny = Self(.biometryAny)
  /// A finger of the set enrolled when the item was added.
  public static let biometryCurrentSet = Self(.biometryCurrentSet)
  /// The passcode.
  public static let devicePasscode = Self(.devicePasscode)
  /// A paired device nearby, of which there is none here.
  public static let companion = Self(.companion)
  /// The older name of `companion`.
  public static let watch = Self(.companion)
  /// One of the named constraints is enough.
  public static let or = Self(.or)
  /// All of the named constraints are needed.
  public static let and = Self(.and)
  /// The constraints guard the use of a private key instead of an item's data.
  public static let privateKeyUsage = Self(.privateKeyUsage)
  /// An application password, in addition.
  public static let applicationPassword = Self(.applicationPassword)
  /// The older name of `biometryAny`.
  public static let touchIDAny = biometryAny
  /// The older name of `biometryCurrentSet`.
  public static let touchIDCurrentSet = biometryCurrentSet
}

/// Creates an access control.
///
/// Whether fingers are enrolled or a passcode is set is checked when an item is added.
///
/// - Parameters:
///   - allocator: ignored.
///   - protection: one of `kSecAttrAccessible…`.
///   - flags: what must be proven.
///   - error: receives `errSecParam` if the protection is unknown or the flags exclude each other.
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

/// The type ID of access controls.
public func SecAccessControlGetTypeID() -> CFTypeID { TypeNumber.of(SecAccessControl.self) }
