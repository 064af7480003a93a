/// Names a policy: what somebody has to prove.
///
/// A policy is data, looked up by name where the device is served. Five are always there; an
/// administrator and a user may add others.
public struct PolicyName: Hashable, Sendable, CustomStringConvertible {
  /// The name itself, such as `device-owner` or `user/vault`.
  public let description: String

  private init(_ name: String) { description = name }

  /// A finger and nothing else.
  public static let biometrics = PolicyName("biometrics")
  /// A finger if one can be used, else the passcode.
  public static let deviceOwner = PolicyName("device-owner")
  /// A finger or the passcode, whichever comes first; both are asked for at once.
  public static let deviceOwnerParallel = PolicyName("device-owner-parallel")
  /// The passcode and nothing else.
  public static let passcode = PolicyName("passcode")
  /// A finger and then the passcode; neither is enough alone.
  public static let biometricsAndPasscode = PolicyName("biometrics-and-passcode")

  /// The policy of this name, such as `user/vault` for one of the user's own.
  public static func named(_ name: String) -> PolicyName { PolicyName(name) }

  /// Whether the policy asks for a finger and can do nothing without one.
  var needsFinger: Bool { self == .biometrics || self == .biometricsAndPasscode }
}
