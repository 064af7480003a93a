/// The name of a policy, which specifies what a person has to prove.
///
/// A policy is data, which the device's service looks up by name. Five policies are always
/// available; administrators and users may add others.
public struct PolicyName: Hashable, Sendable, CustomStringConvertible {
  /// The name itself, such as `device-owner` or `user/vault`.
  public let description: String

  private init(_ name: String) { description = name }

  /// A finger and nothing else.
  public static let biometrics = PolicyName("biometrics")
  /// A finger if one can be used, otherwise the passcode.
  public static let deviceOwner = PolicyName("device-owner")
  /// A finger or the passcode, whichever comes first; both are asked for at once.
  public static let deviceOwnerParallel = PolicyName("device-owner-parallel")
  /// The passcode and nothing else.
  public static let passcode = PolicyName("passcode")
  /// A finger and then the passcode; both are required.
  public static let biometricsAndPasscode = PolicyName("biometrics-and-passcode")
  /// The passcode and then a code, which an authenticator of the administrator judges.
  public static let secondFactor = PolicyName("second-factor")
  /// A finger or a key, or else the passcode; all are asked for at once.
  public static let workLaptop = PolicyName("work-laptop")

  /// The policy of this name, such as `user/vault` for a policy of the user's own.
  public static func named(_ name: String) -> PolicyName { PolicyName(name) }

  /// Whether the policy cannot be met without a finger.
  var needsFinger: Bool { self == .biometrics || self == .biometricsAndPasscode }
}
