import LocalAuthSensor

/// What halving and doubling each of our own numbers does to the results of a case.
public struct Sensitivity: Sendable {
  /// One number of ours, changed.
  public struct Change: Sendable {
    /// The name of the number for programs, its label for tables, and what it says in words.
    public let name, label, words: String
    /// What the number counts.
    public let unit: Assumption.Unit
    /// The number in the case; infinity for no limit.
    public let value: Double
    /// The number instead.
    public let changed: Double
    /// Who published the number instead; nil if it is half or twice ours.
    public var publication: PasscodeGuesses.Publication?
    /// The case with that number.
    public let plan: PolicyCase
    /// The attacks with that number, in their order.
    public let attacks: [Attack]
    /// How many times as long each move takes somebody who touches on purpose.
    public let pace: Double
    /// Whether people may meet something else with that number.
    public let concernsPeople: Bool
    /// Whether attackers may.
    public let concernsAttackers: Bool
  }

  /// Every change that is possible, by number, half before double.
  public let changes: [Change]

  /// Changes the numbers of `plan`, and those of the `attacks` on it; the pace of touches too if somebody
  /// `touchesOnPurpose`.
  public init(_ plan: PolicyCase, _ attacks: [Attack], touchesOnPurpose: Bool = false) {
    let ofPeople = Assumption.all.flatMap { assumption -> [Change] in
      guard let value = assumption.value(in: plan) else { return [] }
      return [assumption.half(of: value), assumption.double(of: value)].compactMap { changed in
        guard let changed, let other = try? assumption.changing(plan, to: changed) else {
          return nil
        }
        return Change(
          assumption,
          from: value,
          to: changed,
          in: other,
          attacks,
          concernsPeople: true,
          concernsAttackers: !plan.isAlike(other)
        )
      }
    }
    changes =
      ofPeople + AttackChanges(plan: plan, attacks: attacks).all
      + Self.paces(plan, attacks, touchesOnPurpose)
  }

  /// The times of all moves together, because what counts is how many fit into the time.
  private static func paces(
    _ plan: PolicyCase,
    _ attacks: [Attack],
    _ touchesOnPurpose: Bool
  ) -> [Change] {
    guard !attacks.isEmpty || touchesOnPurpose else { return [] }
    return [0.5, 2].map { pace in Change(pace: pace, plan, attacks.map { $0.paced(pace) }) }
  }
}

/// Every change of a number of attacks, but for their times.
private struct AttackChanges {
  let plan: PolicyCase
  let attacks: [Attack]

  var all: [Sensitivity.Change] {
    glimpses + fakes + lengths + choices
      + differences(.wolfShare) { (share, people) throws(ModelError) in
        try Impostors(wolfShare: share, lambShare: people.lambShare)
      }
      + differences(.lambShare) { (share, people) throws(ModelError) in
        try Impostors(wolfShare: people.wolfShare, lambShare: share)
      }
  }

  /// The number in the first attack that has one; nil if none has, or if that must be ours and was given.
  private func value(_ assumption: AttackAssumption, isOurs: Bool = true) -> Double? {
    let attack = attacks.first { assumption.value(in: $0, on: plan) != nil }
    guard let attack, !isOurs || assumption.isOurs(in: attack, on: plan) else { return nil }
    return assumption.value(in: attack, on: plan)
  }

  /// Fewer and more digits that were seen, never more than the passcode has.
  private var glimpses: [Sensitivity.Change] {
    let assumption = AttackAssumption.seenDigits
    guard let watched = attacks.first(where: { $0.attacker.glimpse != nil }),
      let value = value(assumption, isOurs: false)
    else { return [] }
    let most = max(value, Double(watched.passcodes.digits))
    let ends = [assumption.unit.half(of: value), assumption.unit.double(of: value, most: most)]
    return ends.compactMap { changed in
      changed.map { digits in change(assumption, value, digits) { $0.seeing(digits: digits) } }
    }
  }

  private var fakes: [Sensitivity.Change] {
    let assumption = AttackAssumption.iapar
    guard let value = value(assumption) else { return [] }
    return ends(assumption, value).compactMap { changed in
      let species = try? AttackSpecies(name: "changed", iapar: changed)
      return species.map { species in change(assumption, value, changed) { $0.faking(species) } }
    }
  }

  /// The lengths of passcodes that are usual, 4 and 6, of which ours is one.
  private var lengths: [Sensitivity.Change] {
    guard let value = value(.digits),
      let longer = attacks.first(where: { $0.attacker.guesses })?.passcodes.having(digits: 6)
    else { return [] }
    return [change(.digits, value, 6) { $0.guessing(longer) }]
  }

  /// Passcodes as publications say that people choose them, which say nothing of what a part is worth that
  /// somebody saw.
  private var choices: [Sensitivity.Change] {
    let assumption = AttackAssumption.chosenPasscodes
    guard let value = value(assumption),
      let drawn = attacks.first(where: { assumption.value(in: $0, on: plan) != nil })?.passcodes
    else { return [] }
    return PasscodeGuesses.Publication.allCases.compactMap { publication in
      guard let chosen = drawn.chosen(as: publication) else { return nil }
      let found = AttackAssumption.found(of: chosen)
      var change = change(assumption, value, found) {
        $0.attacker.glimpse == nil ? $0.guessing(chosen) : $0
      }
      change.publication = publication
      return change
    }
  }

  /// Attackers, or owners, who differ more or less, or at all if ours do not.
  private func differences(
    _ assumption: AttackAssumption,
    _ changing: (Double, Impostors) throws(ModelError) -> Impostors
  ) -> [Sensitivity.Change] {
    guard let value = value(assumption, isOurs: false) else { return [] }
    let changes = value == 0 ? [AttackAssumption.differing] : ends(assumption, value)
    return changes.compactMap { changed in
      var other = plan
      guard let impostors = try? changing(changed, plan.sensor.impostors) else { return nil }
      other.sensor.impostors = impostors
      return Sensitivity.Change(assumption, from: value, to: changed, in: other, attacks)
    }
  }

  private func ends(_ assumption: AttackAssumption, _ value: Double) -> [Double] {
    let unit = assumption.unit
    return [unit.half(of: value), unit.double(of: value, most: .infinity)].compactMap(\.self)
  }

  private func change(
    _ assumption: AttackAssumption,
    _ value: Double,
    _ changed: Double,
    _ edit: (Attack) -> Attack
  ) -> Sensitivity.Change {
    Sensitivity.Change(assumption, from: value, to: changed, in: plan, attacks.map(edit))
  }
}

extension Sensitivity.Change {
  fileprivate init(
    _ number: some OwnNumber,
    from value: Double,
    to changed: Double,
    in plan: PolicyCase,
    _ attacks: [Attack],
    concernsPeople: Bool = false,
    concernsAttackers: Bool = true
  ) {
    (name, label, words, unit) = (number.name, number.label, number.words, number.unit)
    pace = 1
    (self.value, self.changed, self.plan, self.attacks) = (value, changed, plan, attacks)
    (self.concernsPeople, self.concernsAttackers) = (concernsPeople, concernsAttackers)
  }

  fileprivate init(pace: Double, _ plan: PolicyCase, _ attacks: [Attack]) {
    (name, label, unit) = ("attackPace", "an attacker's times, times", .count)
    words = "how slow an attacker is, in times of what we assume"
    (value, changed, self.plan, self.attacks) = (1, pace, plan, attacks)
    self.pace = pace
    (concernsPeople, concernsAttackers) = (false, true)
  }
}

extension PolicyCase {
  /// Whether attackers meet the same in `other`, which differs in one number of ours.
  ///
  /// They have no habits, and know of the people only how often an enrolled finger matches.
  fileprivate func isAlike(_ other: PolicyCase) -> Bool {
    let (here, there) = (sensor, other.sensor)
    return here.acquisition.takenForFake == there.acquisition.takenForFake
      && abs(here.population.mean - there.population.mean) < 1e-9
      && here.impostors == there.impostors && here.scores.threshold == there.scores.threshold
  }
}
