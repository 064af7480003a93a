// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are Apple's.

import LocalAuth

/// The proof required for a right.
public final class LAAuthenticationRequirement: NSObject, Sendable {
  let kind: Kind

  /// The kinds of requirements, as they are stored.
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

  /// A finger if one can be used, otherwise the passcode.
  public static let `default` = LAAuthenticationRequirement(.userPresence)
  /// A finger and nothing else.
  public static let biometry = LAAuthenticationRequirement(.biometry)
  /// A finger of the set enrolled when the right is saved; a change of the set destroys the right.
  ///
  /// For a right that is not saved, any finger.
  public static let biometryCurrentSet = LAAuthenticationRequirement(.biometryCurrentSet)

  /// A finger, or the fallback.
  public static func biometry(
    fallback: LABiometryFallbackRequirement
  ) -> LAAuthenticationRequirement {
    LAAuthenticationRequirement(.userPresence)
  }

  /// Whether `object` is an equal requirement.
  public override func isEqual(_ object: Any?) -> Bool {
    (object as? LAAuthenticationRequirement)?.kind == kind
  }

  /// Equal for equal requirements.
  public override var hash: Int { kind.hashValue }
}

/// A fallback for a finger; both values mean the passcode.
public final class LABiometryFallbackRequirement: NSObject, Sendable {
  /// The device's fallback: the passcode.
  public static let `default` = LABiometryFallbackRequirement()
  /// The passcode.
  public static let devicePasscode = LABiometryFallbackRequirement()
}
