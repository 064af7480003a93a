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
    /// What the times of an attacker's moves are multiplied with.
    public let pace: Double
  }

  /// Every change that is possible, by number, half before double.
  public let changes: [Change]

  /// Changes the numbers of `plan`, and the times of an attacker if there is one.
  public init(_ plan: PolicyCase, isAttacked: Bool) {
    let ofPeople = Assumption.all.flatMap { assumption -> [Change] in
      guard let value = assumption.value(in: plan) else { return [] }
      return [assumption.half(of: value), assumption.double(of: value)].compactMap { changed in
        guard let changed, let other = try? assumption.changing(plan, to: changed) else {
          return nil
        }
        return Change(assumption, from: value, to: changed, plan: other)
      }
    }
    let ofAttackers = [0.5, 2].map { Change(pace: $0, plan) }
    changes = ofPeople + (isAttacked ? ofAttackers : [])
  }
}

extension Sensitivity.Change {
  fileprivate init(
    _ assumption: Assumption,
    from value: Double,
    to changed: Double,
    plan: PolicyCase
  ) {
    (name, label, words) = (assumption.name, assumption.label, assumption.words)
    unit = assumption.unit
    (self.value, self.changed, self.plan, pace) = (value, changed, plan, 1)
  }

  fileprivate init(pace: Double, _ plan: PolicyCase) {
    (name, label, unit) = ("attackPace", "an attacker's times, times", .count)
    words = "how slow an attacker is, in times of what we assume"
    (value, changed, self.plan, self.pace) = (1, pace, plan, pace)
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
}
