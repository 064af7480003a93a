public import LocalAuthSensor

/// Who tries to get in, and with what.
public enum Attacker: Hashable, Sendable {
  /// Somebody with their own finger, who knows nothing.
  case zeroEffort
  /// Somebody with their own finger who guesses the passcode too, against the person in a hundred who is
  /// taken for others most easily.
  case targeted
  /// Somebody with a fake of the person's finger.
  case presentation(AttackSpecies)
  /// Somebody who guesses the passcode.
  case pin

  /// Whether they present a finger as long as they can, or only where nothing else leads to the passcode.
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

/// An attack: who, for how long, and how fast.
///
/// Every presentation of an attacker is acquired and judged, and none is slower than another: what comes out
/// is what a policy must reckon with.
public struct Attack: Hashable, Sendable {
  /// Who.
  public var attacker: Attacker
  /// How long they have the device, which its owner last used when they got it.
  public var time: Duration
  /// How long a presentation takes.
  public var presenting = Duration.seconds(1)
  /// How long a guess takes.
  public var typing = Duration.seconds(4)
  /// The passcodes that the right one is evenly one of, 10^d for d digits; none is guessed twice.
  public var secrets: UInt64 = 10_000

  /// The attack of `attacker` with `time`.
  public init(_ attacker: Attacker, time: Duration) {
    self.attacker = attacker
    self.time = time
  }

  /// Attempts beyond which nobody is followed, which only a profile that hardly ever refuses allows.
  public static let attemptsMax: UInt32 = 100_000

  /// Of the people whom a targeted attacker chooses from, the share that is taken for others less easily.
  static let mostEasilyTaken = 0.99
}
