// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are Apple's.

import LocalAuth

/// What has to be proven for a right.
public final class LAAuthenticationRequirement: NSObject, Sendable {
  let kind: Kind

  /// The requirements that there are, as they are stored.
  enum Kind: String, Sendable {
    case userPresence
    case biometry
    case biometryCurrentSet

    var flags: AccessControlFlags {
      switch self {
      case .userPresence: .userPresence
      case .biometry: .biometryAny
      case .biometryCurrentSet: .biometryCurrentSet
      }
    }
  }

  init(_ kind: Kind) {
    self.kind = kind
    super.init()
  }

  /// A finger if one can be used, else the passcode.
  public static let `default` = LAAuthenticationRequirement(.userPresence)
  /// A finger and nothing else.
  public static let biometry = LAAuthenticationRequirement(.biometry)
  /// A finger of those that are enrolled when the right is saved; when they change, the right is lost.
  ///
  /// Of a right that is not saved, any finger.
  public static let biometryCurrentSet = LAAuthenticationRequirement(.biometryCurrentSet)

  /// A finger, or what `fallback` allows instead.
  public static func biometry(
    fallback: LABiometryFallbackRequirement
  ) -> LAAuthenticationRequirement {
    LAAuthenticationRequirement(.userPresence)
  }

  /// Whether the other asks for the same.
  public override func isEqual(_ object: Any?) -> Bool {
    (object as? LAAuthenticationRequirement)?.kind == kind
  }

  /// Equal for equal ones.
  public override var hash: Int { kind.hashValue }
}

/// What may be proven instead of a finger; both are the passcode.
public final class LABiometryFallbackRequirement: NSObject, Sendable {
  /// What the device has: the passcode.
  public static let `default` = LABiometryFallbackRequirement()
  /// The passcode.
  public static let devicePasscode = LABiometryFallbackRequirement()
}
