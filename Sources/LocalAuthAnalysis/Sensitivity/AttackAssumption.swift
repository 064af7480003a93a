/// A number of an attack that is our own.
public struct AttackAssumption: OwnNumber {
  /// The name for programs.
  public let name: String
  /// A label for a table.
  public let label: String
  /// What the number says, in words for a person who knows none of the terms.
  public let words: String
  /// What the number counts.
  public let unit: Assumption.Unit
  /// Our number.
  public let standard: Double
  private let get: @Sendable (Attack) -> Double?

  private init(
    _ name: String,
    _ label: String,
    _ words: String,
    _ unit: Assumption.Unit,
    _ standard: Double,
    get: @escaping @Sendable (Attack) -> Double?
  ) {
    (self.name, self.label, self.words) = (name, label, words)
    (self.unit, self.standard, self.get) = (unit, standard, get)
  }

  /// Returns the number in `attack`; nil if nothing there depends on such a number.
  public func value(in attack: Attack) -> Double? { get(attack) }

  /// Whether ``TouchDenial`` depends on it too.
  public var isOfDenial: Bool { name == Self.touch.name }
}

extension AttackAssumption {
  /// All such numbers: the times of moves, then what a shoulder surfer saw.
  public static let all = [touch, typing, programTyping, enrolling, restarting, seenDigits]

  private static let touch = AttackAssumption(
    "attackTouch",
    "an attacker's touch",
    "how long a touch takes an attacker",
    .seconds,
    1
  ) { $0.attacker.finger == .none ? nil : $0.presenting / .seconds(1) }

  private static let typing = AttackAssumption(
    "attackTyping",
    "an attacker's typing",
    "how long a passcode takes an attacker to type",
    .seconds,
    4
  ) { $0.attacker.types && $0.attacker != .insider ? $0.typing / .seconds(1) : nil }

  private static let programTyping = AttackAssumption(
    "attackProgramTyping",
    "a program's typing",
    "how long a passcode takes a program to try",
    .seconds,
    0.1
  ) { $0.attacker == .insider ? $0.typing / .seconds(1) : nil }

  private static let enrolling = AttackAssumption(
    "attackEnrolling",
    "an attacker's enrolling",
    "how long it takes an attacker to enrol a finger",
    .seconds,
    10
  ) { attack in
    let enrols = attack.attacker.types && attack.attacker.finger != .none
    return enrols ? attack.enrolling / .seconds(1) : nil
  }

  private static let restarting = AttackAssumption(
    "attackRestarting",
    "an attacker's restart",
    "how long it takes an attacker to restart the device",
    .seconds,
    30
  ) { $0.restarting / .seconds(1) }

  /// How many digits somebody knows who watched and did not see all; see ``Attacker/Glimpse``.
  static let seenDigits = AttackAssumption(
    "seenDigits",
    "digits seen otherwise",
    "how many digits of the passcode somebody knows who watched and did not see all",
    .count,
    Double(Attacker.Glimpse.standard.digits)
  ) {
    guard case .shoulder(let glimpse) = $0.attacker else { return nil }
    return Double(glimpse.digits)
  }
}

extension Attack {
  /// Returns the attack with the times of all moves multiplied with `pace`.
  public func paced(_ pace: Double) -> Attack {
    var attack = self
    attack.presenting = presenting * pace
    attack.typing = typing * pace
    attack.enrolling = enrolling * pace
    attack.restarting = restarting * pace
    return attack
  }

  /// Returns the attack with so many digits seen where not all were; the same of anybody else.
  func seeing(digits: Double) -> Attack {
    guard case .shoulder(var glimpse) = attacker else { return self }
    var attack = self
    glimpse.digits = UInt32(digits)
    attack.attacker = .shoulder(glimpse)
    return attack
  }
}

extension PasscodeGuesses {
  /// The digits that so many passcodes have.
  var digits: Int {
    var (digits, power) = (0, 1.0)
    while power < Double(secrets) { (digits, power) = (digits + 1, power * 10) }
    return digits
  }
}
