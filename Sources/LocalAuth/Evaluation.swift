public import LocalAuthCore
import LocalAuthWire

/// A success: which policy was met, on which device, and by what.
///
/// A failure is an ``AuthError``; there is no value that means "no". A simulated success says so
/// in ``isSimulated``.
public struct Evaluation: Hashable, Sendable, Identifiable {
  /// What proved it.
  public struct Method: RawRepresentable, Hashable, Sendable {
    /// Its word; an authenticator that is plugged in may bring one that is not named here.
    public let rawValue: String

    /// The method with this word.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// A finger on the sensor.
    public static let fingerprint = Self(rawValue: "fingerprint")
    /// The device was unlocked with a finger within ``AuthContext/reuseDuration``.
    public static let unlockReuse = Self(rawValue: "reuse")
    /// An earlier success that was remembered; ``Evaluation/age`` says how old it is.
    public static let grant = Self(rawValue: "grant")
    /// The device's own passcode.
    public static let passcode = Self(rawValue: "passcode")
    /// The account's password, through PAM.
    public static let pam = Self(rawValue: "pam")
    /// A password of the application's own.
    public static let applicationPassword = Self(rawValue: "applicationPassword")
    /// Another device that is near.
    public static let companion = Self(rawValue: "companion")
  }

  /// Names the evaluation in the device's audit.
  public let id: String
  /// The policy that was met.
  public let policy: PolicyName
  /// The device on which it was met.
  public let device: String
  /// What proved it, in the order in which the policy asks; never empty.
  public let methods: [Method]
  /// The finger that matched, where one did.
  public let finger: Finger?
  /// Attempts that were judged, the successful ones included.
  public let attempts: Int
  /// Whether the device is simulated, so that the success proves nothing about a person.
  public let isSimulated: Bool
  /// How long ago it was proven, where an earlier success answered; nil where it was proven now.
  public let age: Duration?
  /// SHA-256 of the action that was approved, in hexadecimal; nil where none was asked about.
  public let actionDigest: String?
  /// The success, signed for whom it was asked for: a JWT to hand on, and to show to nobody else.
  public let assertion: String?
  /// Whether this is an earlier success of the same context, told again without asking anybody.
  public internal(set) var isRepeated = false
}

extension Evaluation {
  /// Reads a result that was checked already; anything but a success is thrown.
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

  /// Whether the finger took part, now or by a reused unlock.
  var usedFinger: Bool { methods.contains(.fingerprint) || methods.contains(.unlockReuse) }

  private static func methods(_ words: String?) throws(AuthError) -> [Method] {
    guard let words else { throw .protocolError("a success that nothing proved") }
    let methods = words.split(separator: "+").map { Method(rawValue: String($0)) }
    guard !methods.isEmpty else { throw .protocolError("a success that nothing proved") }
    return methods
  }
}
