import LocalAuthAnalysis
import LocalAuthCore
import LocalAuthSensor

/// The options that describe attackers, and how passcodes are chosen.
enum AttackOptions {
  static let attackers = Option<[AttackerChoice]>(
    "attacker",
    "KIND",
    help: "also attack, this way; may be repeated"
  )
  static let time = Option<AttackTime>(
    "attack-time",
    "TIME",
    default: "4h",
    help: "how long an attacker has"
  )
  static let iapar = Option<Rate?>("iapar", "RATE", help: "how often the sensor accepts a fake")
  static let digits = Option<DigitCount?>(
    "digits",
    "N",
    help: "the digits of a passcode, else 4 to guess and no clause judged"
  )
  static let pins = Option<PINChoice>(
    "pins",
    "KIND",
    default: PINChoice.uniform.rawValue,
    help: "how passcodes are chosen"
  )
  static let blocklist = Option<BlocklistSize?>(
    "pin-blocklist",
    "N",
    help: "how many of the most frequent passcodes cannot be chosen"
  )
  static let seenDigits = Option<SeenDigits>(
    "seen-digits",
    "N",
    default: "2",
    help: "the digits that a shoulder surfer saw"
  )
  static let seenWhole = Option<Rate>(
    "seen-whole",
    "RATE",
    default: "0.108",
    help: "how often a shoulder surfer saw the whole passcode"
  )

  static let declarations = [
    attackers.declaration, time.declaration, iapar.declaration, digits.declaration,
    pins.declaration, blocklist.declaration, seenDigits.declaration, seenWhole.declaration,
  ]

  /// All attackers that the options describe: nobody knows what some digits of a chosen passcode are
  /// worth.
  static func all(_ context: VerbContext) -> [AttackerChoice] {
    AttackerChoice.allCases.filter { $0 != .shoulder || context.arguments[pins] == .uniform }
  }

  /// Returns the questions that the command line asks of attackers, with the fakes that `sensor`
  /// accepts.
  static func questions(
    _ sensor: SensorChoice,
    _ context: VerbContext
  ) throws(Failure) -> [AttackQuestion] {
    try questions(context.arguments[attackers], sensor, context)
  }

  /// Returns the questions about these attackers.
  static func questions(
    _ attackers: [AttackerChoice],
    _ sensor: SensorChoice,
    _ context: VerbContext
  ) throws(Failure) -> [AttackQuestion] {
    let passcodes = try passcodes(context)
    var questions: [AttackQuestion] = []
    for choice in attackers {
      guard let attacker = try attacker(choice, sensor, context) else {
        questions.append(.denial)
        continue
      }
      var attack = Attack(attacker, time: context.arguments[time].duration)
      attack.passcodes = passcodes
      questions.append(.attack(attack))
    }
    return questions
  }

  private static func attacker(
    _ choice: AttackerChoice,
    _ sensor: SensorChoice,
    _ context: VerbContext
  ) throws(Failure) -> Attacker? {
    let fakes = sensor.fakes ?? .androidClass3
    switch choice {
    case .zeroEffort: return .zeroEffort
    case .targeted: return .targeted
    case .presentation: return .presentation(fakes)
    case .pin: return .pin
    case .fakeAndPIN: return .fakeAndPIN(fakes)
    case .knownPIN: return .knownPIN
    case .insider: return .insider
    case .shoulder: return .shoulder(try glimpse(context))
    case .maliciousToucher: return nil
    }
  }

  /// What a shoulder surfer saw; of chosen passcodes nobody published what a few digits are worth.
  private static func glimpse(_ context: VerbContext) throws(Failure) -> Attacker.Glimpse {
    let digits = context.arguments[seenDigits].count
    guard digits <= length(context).count else {
      throw Failure(.usage, "A passcode of fewer than \(digits) digits has none to see.")
    }
    guard context.arguments[pins] == .uniform else {
      throw Failure(.usage, "A shoulder surfer is solved with --pins uniform only.")
    }
    do throws(ModelError) {
      return try Attacker.Glimpse(
        whole: context.arguments[seenWhole].value,
        digits: UInt32(digits)
      )
    } catch { throw Failure(.usage, "These numbers cannot be: \(error).") }
  }

  /// The digits that are guessed: four if nothing is said.
  private static func length(_ context: VerbContext) -> DigitCount {
    context.arguments[digits] ?? DigitCount(count: 4)
  }

  /// What the command line says of passcodes, for the rules.
  static func secrets(_ context: VerbContext) -> Compliance.Passcodes {
    Compliance.Passcodes(
      digits: context.arguments[digits].map { UInt32($0.count) },
      blocked: context.arguments[blocklist]?.count
    )
  }

  /// The option that says what nobody said.
  static func word(_ unsaid: ComplianceClause.Unsaid) -> String {
    let option =
      switch unsaid {
      case .iapar: iapar.declaration
      case .digits: digits.declaration
      case .blocked: blocklist.declaration
      }
    return "--\(option.name)"
  }

  private static func passcodes(_ context: VerbContext) throws(Failure) -> PasscodeGuesses {
    let (choice, digits) = (context.arguments[pins], length(context))
    let blocked = context.arguments[blocklist]?.count ?? 0
    guard let all = choice.passcodes(digits) else {
      throw Failure(
        .usage,
        "Passcodes of \(CountText.of(digits.count, "digit")) are not in --pins \(choice.rawValue)."
      )
    }
    guard let left = all.without(mostFrequent: blocked) else {
      throw Failure(
        .usage,
        all.reach.map {
          "A blocklist of \(blocked) goes too far: only the \($0) most frequent passcodes are published, so at "
            + "most \($0 - 1) can be barred."
        } ?? "A blocklist of \(blocked) leaves no passcode: there are \(all.secrets)."
      )
    }
    return left
  }
}

/// What is asked about an attacker.
enum AttackQuestion {
  /// How often they get in.
  case attack(Attack)
  /// What somebody costs the owner who touches the sensor on purpose.
  case denial
}

/// How passcodes are chosen.
enum PINChoice: String, CaseIterable, ExpressibleByArgument {
  /// All are equally likely, as if drawn by lot.
  case uniform
  /// Four digits of an iPhone application's lock screen, 2011.
  case amitay
  /// Four or six digits chosen for a smartphone, 2020.
  case markert

  /// Returns the passcodes of so many digits; nil if nobody published them.
  func passcodes(_ digits: DigitCount) -> PasscodeGuesses? {
    switch self {
    case .uniform: .uniform(of: digits.secrets)
    case .amitay: PasscodeGuesses.Publication.amitay.passcodes(digits: digits.count)
    case .markert: PasscodeGuesses.Publication.markert.passcodes(digits: digits.count)
    }
  }
}

/// The number of passcodes on a blocklist.
struct BlocklistSize: ExpressibleByArgument {
  let count: UInt64

  init?(argument: String) {
    guard let count = Int(argument: argument), count >= 0 else { return nil }
    self.count = UInt64(count)
  }

  static var expectation: String { "a number of passcodes" }
}

/// The number of digits that were seen.
struct SeenDigits: ExpressibleByArgument {
  let count: Int

  init?(argument: String) {
    guard let count = Int(argument: argument), (0...18).contains(count) else { return nil }
    self.count = count
  }

  static var expectation: String { "a number from 0 to 18" }
}

/// The kind of attacker.
enum AttackerChoice: String, CaseIterable, ExpressibleByArgument {
  case zeroEffort = "zero-effort"
  case targeted
  case presentation
  case pin
  case fakeAndPIN = "fake+pin"
  case knownPIN = "known-pin"
  case shoulder
  case maliciousToucher = "malicious-toucher"
  case insider

  /// Returns the word for an attacker.
  static func word(_ attacker: Attacker) -> String {
    let choice: AttackerChoice =
      switch attacker {
      case .zeroEffort: .zeroEffort
      case .targeted: .targeted
      case .presentation: .presentation
      case .pin: .pin
      case .fakeAndPIN: .fakeAndPIN
      case .knownPIN: .knownPIN
      case .shoulder: .shoulder
      case .insider: .insider
      }
    return choice.rawValue
  }
}
