import LocalAuthSensor

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
  /// Whether an attack has our number, where that does not follow from the number.
  private let isChosen: (@Sendable (Attack) -> Bool)?
  private let get: @Sendable (Attack, PolicyCase) -> Double?

  private init(
    _ name: String,
    _ label: String,
    _ words: String,
    _ unit: Assumption.Unit,
    _ standard: Double,
    isChosen: (@Sendable (Attack) -> Bool)? = nil,
    get: @escaping @Sendable (Attack, PolicyCase) -> Double?
  ) {
    (self.name, self.label, self.words) = (name, label, words)
    (self.unit, self.standard) = (unit, standard)
    (self.isChosen, self.get) = (isChosen, get)
  }

  /// Returns the number in `attack` on `plan`; nil if nothing there depends on such a number.
  public func value(in attack: Attack, on plan: PolicyCase) -> Double? { get(attack, plan) }

  /// Whether ``TouchDenial`` depends on it too.
  public var isOfDenial: Bool { name == Self.touch.name }

  /// Whether `attack` on `plan` has our number and no other.
  public func isOurs(in attack: Attack, on plan: PolicyCase) -> Bool {
    value(in: attack, on: plan).map { isChosen?(attack) ?? isStandard($0) } ?? false
  }
}

extension AttackAssumption {
  /// Whether `attack` on `plan` has our number of this name.
  public static func isOurs(_ name: String, in attack: Attack, on plan: PolicyCase) -> Bool {
    all.contains { $0.name == name && $0.isOurs(in: attack, on: plan) }
  }

  /// All such numbers: the times of moves, what a shoulder surfer saw, how often fakes pass, what is known of
  /// passcodes, and how much people differ to the fingers of others.
  public static let all = [
    touch, typing, programTyping, enrolling, restarting, seenDigits, iapar, digits, chosenPasscodes,
    wolfShare, lambShare,
  ]

  private static let touch = AttackAssumption(
    "attackTouch",
    "an attacker's touch",
    "how long a touch takes an attacker",
    .seconds,
    1
  ) { $1.asksForFinger && $0.attacker.finger != .none ? $0.presenting.inSeconds : nil }

  private static let typing = AttackAssumption(
    "attackTyping",
    "an attacker's typing",
    "how long a passcode takes an attacker to type",
    .seconds,
    4
  ) { attack, _ in
    attack.attacker.types && attack.attacker != .insider ? attack.typing.inSeconds : nil
  }

  private static let programTyping = AttackAssumption(
    "attackProgramTyping",
    "a program's typing",
    "how long a passcode takes a program to try",
    .seconds,
    0.1
  ) { attack, _ in attack.attacker == .insider ? attack.typing.inSeconds : nil }

  private static let enrolling = AttackAssumption(
    "attackEnrolling",
    "an attacker's enrolling",
    "how long it takes an attacker to enrol a finger",
    .seconds,
    10
  ) { attack, plan in
    let enrols = plan.asksForFinger && attack.attacker.types && attack.attacker.finger != .none
    return enrols ? attack.enrolling.inSeconds : nil
  }

  private static let restarting = AttackAssumption(
    "attackRestarting",
    "an attacker's restart",
    "how long it takes an attacker to restart the device",
    .seconds,
    30
  ) { attack, _ in attack.restarting.inSeconds }

  /// How many digits somebody knows who watched and did not see all; see ``Attacker/Glimpse``.
  static let seenDigits = AttackAssumption(
    "seenDigits",
    "digits seen otherwise",
    "how many digits of the passcode somebody knows who watched and did not see all",
    .count,
    Double(Attacker.Glimpse.standard.digits)
  ) { attack, _ in
    guard case .shoulder(let glimpse) = attack.attacker else { return nil }
    return Double(glimpse.digits)
  }

  /// How often a fake passes of which nothing is known.
  ///
  /// What a sensor attests, or what was given, may be the same number.
  static let iapar = AttackAssumption(
    "iapar",
    "IAPAR",
    "how often the sensor takes a fake for the finger, which it states nowhere",
    .share,
    AttackSpecies.androidClass3.iapar,
    isChosen: \.attacker.hasUnknownFakes
  ) { $1.asksForFinger ? $0.attacker.species?.iapar : nil }

  /// How many digits there are to guess.
  static let digits = AttackAssumption(
    "digits",
    "digits of a passcode",
    "how many digits a passcode has",
    .count,
    4
  ) { attack, _ in
    // Of these, nobody published any other length.
    guard attack.attacker.guesses, attack.passcodes.publication != .amitay else { return nil }
    return Double(attack.passcodes.digits)
  }

  /// The guesses by which choices of passcodes are told apart.
  private static let firstGuesses = 10 as UInt64

  /// How people choose passcodes; of somebody who saw a part of it, nobody published what that is worth.
  ///
  /// Ours are drawn by lot, and the number then depends on how many there are.
  static let chosenPasscodes = AttackAssumption(
    "chosenPasscodes",
    "passcodes found by 10 guesses",
    "how many passcodes an attacker's first ten guesses find, which people choose or draw by lot",
    .share,
    0.001,
    isChosen: \.passcodes.points.isEmpty
  ) { attack, _ in
    guard attack.attacker.guesses, attack.attacker.glimpse == nil else { return nil }
    return found(of: attack.passcodes)
  }

  /// The share of these passcodes that the first guesses find.
  static func found(of passcodes: PasscodeGuesses) -> Double { passcodes.found(by: firstGuesses) }

  /// The share of variance that stands for people who differ, where ours do not.
  static let differing = 0.3

  static let wolfShare = AttackAssumption(
    "wolfShare",
    "variance of attackers' own",
    "how much attackers differ in being taken for others: the share of the scores' variance that is theirs",
    .share,
    Impostors.alike.wolfShare
  ) { $1.asksForFinger && $0.attacker.hasOwnFinger ? $1.sensor.impostors.wolfShare : nil }

  static let lambShare = AttackAssumption(
    "lambShare",
    "variance of owners' own",
    "how much owners differ in how easily others are taken for them: the share of the scores' variance "
      + "that is theirs",
    .share,
    Impostors.alike.lambShare
  ) { $1.asksForFinger && $0.attacker.hasOwnFinger ? $1.sensor.impostors.lambShare : nil }
}

extension Attacker {
  /// The fakes that they have.
  var species: AttackSpecies? {
    if case .fake(let species) = finger { species } else { nil }
  }

  /// Whether they have fakes of which nothing is known.
  fileprivate var hasUnknownFakes: Bool { species == .androidClass3 }

  /// What they saw of the passcode.
  var glimpse: Glimpse? {
    if case .shoulder(let glimpse) = self { glimpse } else { nil }
  }

  /// Whether they try a finger of their own before it is enrolled.
  var hasOwnFinger: Bool {
    if case .own = finger { self != .knownPIN } else { false }
  }

  /// Whether they try passcodes that they do not know.
  var guesses: Bool { types && self != .knownPIN }
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

  /// Returns the attack with these fakes; the same of anybody who has none.
  func faking(_ species: AttackSpecies) -> Attack {
    var attack = self
    switch attacker {
    case .presentation: attack.attacker = .presentation(species)
    case .fakeAndPIN: attack.attacker = .fakeAndPIN(species)
    case .zeroEffort, .targeted, .pin, .knownPIN, .shoulder, .insider: break
    }
    return attack
  }

  /// Returns the attack on these passcodes.
  func guessing(_ passcodes: PasscodeGuesses) -> Attack {
    var attack = self
    attack.passcodes = passcodes
    return attack
  }
}
