public import LocalAuthSensor

/// The kind of attacker, and their means.
public enum Attacker: Hashable, Sendable {
  /// An impostor who presents their own finger and knows nothing.
  case zeroEffort
  /// An impostor who presents their own finger and guesses the passcode, against the one person in
  /// a hundred who is easiest to impersonate.
  case targeted
  /// An attacker with a fake of the person's finger.
  case presentation(AttackSpecies)
  /// An attacker who guesses the passcode.
  case pin

  /// Whether they present a finger as long as possible, or only if nothing else leads to the
  /// passcode.
  var prefersFinger: Bool {
    switch self {
    case .zeroEffort, .targeted, .presentation: true
    case .pin: false
    }
  }

  /// Whether they guess the passcode.
  var guesses: Bool {
    switch self {
    case .targeted, .pin: true
    case .zeroEffort, .presentation: false
    }
  }
}

/// An attack: the attacker, the time available, and the speed of attempts.
///
/// Every presentation of an attacker is acquired and judged, and all take the same time, so the
/// result is what a policy must withstand.
public struct Attack: Hashable, Sendable {
  /// The attacker.
  public var attacker: Attacker
  /// How long the attacker has the device; its owner last used it at the start.
  public var time: Duration
  /// How long a presentation takes.
  public var presenting = Duration.seconds(1)
  /// How long a guess takes.
  public var typing = Duration.seconds(4)
  /// The number of equally likely passcodes, 10^d for d digits; none is guessed twice.
  public var secrets: UInt64 = 10_000

  /// Creates the attack of `attacker` within `time`.
  public init(_ attacker: Attacker, time: Duration) {
    self.attacker = attacker
    self.time = time
  }

  /// The attempts after which an attack is cut off; only a profile that hardly ever refuses allows
  /// as many.
  public static let attemptsMax: UInt32 = 100_000

  /// The percentile of the person whom a targeted attacker chooses, by how easily people are
  /// impersonated.
  static let mostEasilyTaken = 0.99
}
