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
    /// The case with that number.
    public let plan: PolicyCase
    /// The attacks with that number, in their order.
    public let attacks: [Attack]
    /// Whether people may meet something else with that number.
    public let concernsPeople: Bool
    /// Whether attackers may.
    public let concernsAttackers: Bool
  }

  /// Every change that is possible, by number, half before double.
  public let changes: [Change]

  /// Changes the numbers of `plan`, and those of the `attacks` on it.
  public init(_ plan: PolicyCase, _ attacks: [Attack]) {
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
    changes = ofPeople + Self.glimpses(plan, attacks) + Self.paces(plan, attacks)
  }

  /// Fewer and more digits that were seen, never more than the passcode has.
  private static func glimpses(_ plan: PolicyCase, _ attacks: [Attack]) -> [Change] {
    let assumption = AttackAssumption.seenDigits
    guard let watched = attacks.first(where: { assumption.value(in: $0) != nil }),
      let value = assumption.value(in: watched)
    else { return [] }
    let most = max(value, Double(watched.passcodes.digits))
    let ends = [assumption.unit.half(of: value), assumption.unit.double(of: value, most: most)]
    return ends.compactMap { changed in
      changed.map { digits in
        let seeing = attacks.map { $0.seeing(digits: digits) }
        return Change(
          assumption,
          from: value,
          to: digits,
          in: plan,
          seeing,
          concernsPeople: false,
          concernsAttackers: true
        )
      }
    }
  }

  /// The times of all moves together, because what counts is how many fit into the time.
  private static func paces(_ plan: PolicyCase, _ attacks: [Attack]) -> [Change] {
    guard !attacks.isEmpty else { return [] }
    return [0.5, 2].map { pace in Change(pace: pace, plan, attacks.map { $0.paced(pace) }) }
  }
}

extension Sensitivity.Change {
  fileprivate init(
    _ number: some OwnNumber,
    from value: Double,
    to changed: Double,
    in plan: PolicyCase,
    _ attacks: [Attack],
    concernsPeople: Bool,
    concernsAttackers: Bool
  ) {
    (name, label, words, unit) = (number.name, number.label, number.words, number.unit)
    (self.value, self.changed, self.plan, self.attacks) = (value, changed, plan, attacks)
    (self.concernsPeople, self.concernsAttackers) = (concernsPeople, concernsAttackers)
  }

  fileprivate init(pace: Double, _ plan: PolicyCase, _ attacks: [Attack]) {
    (name, label, unit) = ("attackPace", "an attacker's times, times", .count)
    words = "how slow an attacker is, in times of what we assume"
    (value, changed, self.plan, self.attacks) = (1, pace, plan, attacks)
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
