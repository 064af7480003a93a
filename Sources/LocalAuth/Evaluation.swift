public import LocalAuthCore
import LocalAuthWire

/// A success: which policy was met, on which device, and by what.
///
/// A failure is an ``AuthError``; there is no value that means "no". A simulated success says so
/// in ``isSimulated``.
public struct Evaluation: Hashable, Sendable, Identifiable {
  /// What proved it.
  public enum Method: String, Hashable, Sendable {
    /// A finger on the sensor.
    case fingerprint
    /// The device was unlocked with a finger within ``AuthContext/reuseDuration``.
    case unlockReuse = "reuse"
    /// An earlier success that was remembered; ``Evaluation/age`` says how old it is.
    case grant
    /// The device's own passcode.
    case passcode
    /// The account's password, through PAM.
    case pam
    /// A password of the application's own.
    case applicationPassword
    /// Another device that is near.
    case companion
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
    var methods: [Method] = []
    for word in words.split(separator: "+") {
      guard let method = Method(rawValue: String(word)) else {
        throw .protocolError("a success by something that nobody knows")
      }
      methods.append(method)
    }
    guard !methods.isEmpty else { throw .protocolError("a success that nothing proved") }
    return methods
  }
}
