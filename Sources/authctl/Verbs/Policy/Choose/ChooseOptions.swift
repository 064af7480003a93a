import LocalAuthAnalysis
import LocalAuthCore

/// The bounds of `policy choose`, and what things cost.
enum ChooseOptions {
  static let attack = Option<[AttackLimit]>(
    "max-attack",
    "[KIND=]RATE",
    help: "how often attackers may get in, or one of this kind"
  )
  static let lockouts = Option<Amount?>(
    "max-lockouts",
    "N",
    help: "the lockouts of a person in a year"
  )
  static let denied = Option<Share?>(
    "max-denied",
    "RATE",
    help: "the share of logins that are given up"
  )
  static let time = Option<LoginTime?>(
    "max-time",
    "TIME",
    help: "the time that 95 in 100 logins take at most"
  )
  static let cost = Option<Amount?>("max-cost", "MONEY", help: "the cost of a person and year")
  static let rules = Option<[RuleChoice]>(
    "rule",
    "NAME",
    help: "a rule that must be met, by a clause or more"
  )
  static let with = Option<AuthenticatorList>(
    "with",
    "LIST",
    default: "finger,passcode",
    help: "the authenticators that there are, of finger, passcode, key and code"
  )
  static let perLockout = Option<Amount>(
    "cost-lockout",
    "MONEY",
    default: "15",
    help: "what the helpdesk spends on a lockout"
  )
  static let perDenied = Option<Amount>(
    "cost-denied",
    "MONEY",
    default: "15",
    help: "what it spends on a login that is given up"
  )
  static let perHour = Option<Amount>(
    "cost-hour",
    "MONEY",
    default: "30",
    help: "what an hour of a person's time is worth"
  )

  static let declarations = [
    attack.declaration, lockouts.declaration, denied.declaration, time.declaration,
    cost.declaration, rules.declaration, with.declaration, perLockout.declaration,
    perDenied.declaration, perHour.declaration,
  ]

  /// The attackers of a limit that names none, if `--attacker` names none either: nobody without the
  /// passcode, and outside the person's session, has better means.
  private static let usual = [AttackerChoice.fakeAndPIN]

  /// Returns what the command line of `context` asks for, in the order in which it is shown.
  static func bounds(
    _ sensor: SensorChoice,
    _ context: VerbContext
  ) throws(Failure) -> [ChoiceBound] {
    let arguments = context.arguments
    let others = [
      arguments[lockouts].map { ChoiceBound.lockouts($0.value) },
      arguments[denied].map { .denied($0.value) },
      arguments[time].map { .time($0.duration) },
      arguments[cost].map { .cost($0.value) },
    ]
    try check(arguments[with].authenticators)
    let attacks = try attacks(sensor, context)
    return [.authenticators(arguments[with].authenticators)] + attacks + others.compactMap(\.self)
      + RuleChoice.allCases.filter(arguments[rules].contains).map { .rule($0.rawValue) }
  }

  /// Fails for people without a passcode, of whom the model knows none.
  private static func check(_ authenticators: ChoiceAuthenticators) throws(Failure) {
    guard authenticators.factors.contains(.passcode) else {
      throw Failure(
        .usage,
        "--with \(authenticators.words) cannot be computed, for the people of the model have a "
          + "passcode: without one no lock ever opens, and what is too old stays too old."
      )
    }
  }

  private static func attacks(
    _ sensor: SensorChoice,
    _ context: VerbContext
  ) throws(Failure) -> [ChoiceBound] {
    let limits = context.arguments[attack]
    let named = context.arguments[AttackOptions.attackers]
    let open = limits.filter { $0.attacker == nil }
    guard named.isEmpty || !open.isEmpty else {
      throw Failure(.usage, "--attacker needs the rate that it is held to: give --max-attack RATE.")
    }
    let rest = named.isEmpty ? usual : named
    var most: [AttackerChoice: Double] = [:]
    for limit in limits {
      for attacker in limit.attacker.map({ [$0] }) ?? rest {
        most[attacker] = min(most[attacker] ?? 1, limit.rate)
      }
    }
    guard most[.maliciousToucher] == nil else {
      throw Failure(
        .usage,
        "malicious-toucher never gets in, so no rate bounds it: leave it out."
      )
    }
    let attackers = AttackerChoice.allCases.filter { most[$0] != nil }
    let questions = try AttackOptions.questions(attackers, sensor, context)
    return zip(attackers, questions).compactMap { attacker, question in
      guard case .attack(let attack) = question else { return nil }
      return .attack(attack, most[attacker] ?? 1)
    }
  }

  /// Returns what things cost.
  static func prices(_ context: VerbContext) -> ChoicePrices {
    var prices = ChoicePrices()
    prices.lockout = context.arguments[perLockout].value
    prices.denied = context.arguments[perDenied].value
    prices.hour = context.arguments[perHour].value
    return prices
  }
}

/// The rules that ``Compliance`` knows.
enum RuleChoice: String, CaseIterable, ExpressibleByArgument {
  case nist
  case fido
  case androidClass3 = "android-class-3"
  case androidClass2 = "android-class-2"
  case androidClass1 = "android-class-1"
  case apple
  case stig
}
