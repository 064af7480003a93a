/// An attack: the attacker, the time available, and the speed of attempts.
///
/// Every presentation of an attacker is acquired and judged, and all take the same time, so the
/// result is what a policy must withstand. The times are our own assumptions.
public struct Attack: Hashable, Sendable {
  /// The attacker.
  public var attacker: Attacker
  /// How long the attacker has the device; its owner last used it at the start.
  public var time: Duration
  /// How long a presentation takes.
  public var presenting = Duration.seconds(1)
  /// How long a guess takes.
  public var typing = Duration.seconds(4)
  /// How long it takes to enrol a finger, once the passcode for it is given.
  public var enrolling = Duration.seconds(10)
  /// How long a restart takes.
  public var restarting = Duration.seconds(30)
  /// How likely each guess is to be the passcode.
  public var passcodes = PasscodeGuesses.uniform(of: 10_000)

  /// Creates the attack of `attacker` within `time`.
  public init(_ attacker: Attacker, time: Duration) {
    self.attacker = attacker
    self.time = time
    // A program types as fast as it is answered.
    if attacker == .insider { typing = .milliseconds(100) }
  }

  /// The states of an attack beyond which it is not solved; each takes about a hundred bytes.
  public static let statesMax = 300_000

  /// The percentile of the person whom a targeted attacker chooses, by how easily people are
  /// impersonated.
  static let mostEasilyTaken = 0.99

  /// Misses of a finger that the attacker enrolled after which its next touch matches for certain,
  /// which bounds the states and can only overstate the attack.
  static let ownMissesMax: UInt8 = 3
}

/// Why an attack is not solved.
public enum AttackError: Error, Hashable, Sendable, CustomStringConvertible {
  /// It has more states than ``Attack/statesMax``.
  case tooManyStates(Int)
  /// Somebody wanted no answer any more.
  case stopped

  /// What is wrong and what helps, in one line.
  public var description: String {
    switch self {
    case .tooManyStates(let most):
      "an attack has more than \(most) states; give it less time, or a lockout profile that locks"
    case .stopped: "it was stopped"
    }
  }
}
