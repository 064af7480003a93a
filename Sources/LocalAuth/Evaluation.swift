public import LocalAuthCore
import LocalAuthWire

/// A success: the policy that was met, the device, and the methods that proved it.
///
/// A failure is an ``AuthError``; no value means "no". ``isSimulated`` marks a simulated success.
public struct Evaluation: Hashable, Sendable, Identifiable {
  /// A method of proof.
  public struct Method: RawRepresentable, Hashable, Sendable {
    /// The method's name; a plugged-in authenticator may have a name that is not listed here.
    public let rawValue: String

    /// The method with this name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// A finger on the sensor.
    public static let fingerprint = Self(rawValue: "fingerprint")
    /// An unlock of the device by finger within ``AuthContext/reuseDuration``.
    public static let unlockReuse = Self(rawValue: "reuse")
    /// A remembered earlier success; ``Evaluation/age`` is its age.
    public static let grant = Self(rawValue: "grant")
    /// The device's own passcode.
    public static let passcode = Self(rawValue: "passcode")
    /// The account's password, through PAM.
    public static let pam = Self(rawValue: "pam")
    /// The application's own password.
    public static let applicationPassword = Self(rawValue: "applicationPassword")
    /// A companion device nearby.
    public static let companion = Self(rawValue: "companion")
  }

  /// The identifier of the evaluation in the device's audit.
  public let id: String
  /// The policy that was met.
  public let policy: PolicyName
  /// The name of the device on which it was met.
  public let device: String
  /// The methods that proved it, in the order in which the policy asks; never empty.
  public let methods: [Method]
  /// The finger that matched, if any.
  public let finger: Finger?
  /// The number of judged attempts, including successful ones.
  public let attempts: Int
  /// Whether the device is simulated; if so, the success proves nothing about a person.
  public let isSimulated: Bool
  /// The age of the earlier success that answered; nil if it was proven now.
  public let age: Duration?
  /// The SHA-256 of the approved action, in hexadecimal; nil if the request had no action.
  public let actionDigest: String?
  /// The success as a JWT signed for the requested audience; pass it to that audience only.
  public let assertion: String?
  /// Whether this repeats an earlier success of the same context without asking anyone.
  public internal(set) var isRepeated = false
}

extension Evaluation {
  /// Reads an already checked result; throws for anything but a success.
  init(_ result: AuthenticationMessages.Result, of policy: PolicyName) throws(AuthError) {
    if let error = AuthError(result) { throw error }
    let methods = try Self.methods(result.method)
    guard result.policy == policy.description else {
      throw .protocolError("a success of another policy")
    }
    self.init(
      id: result.evaluation,
      policy: policy,
      device: result.device,
      methods: methods,
      finger: result.finger.flatMap { Finger(named: $0) },
      attempts: Int(clamping: result.attempts),
      isSimulated: result.simulated,
      age: result.ageSeconds.map { .seconds($0) },
      actionDigest: result.actionDigest,
      assertion: result.assertion
    )
  }

  /// Whether a finger took part, now or by a reused unlock.
  var usedFinger: Bool { methods.contains(.fingerprint) || methods.contains(.unlockReuse) }

  private static func methods(_ words: String?) throws(AuthError) -> [Method] {
    guard let words else { throw .protocolError("a success that nothing proved") }
    let methods = words.split(separator: "+").map { Method(rawValue: String($0)) }
    guard !methods.isEmpty else { throw .protocolError("a success that nothing proved") }
    return methods
  }
}
