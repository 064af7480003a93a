import LocalAuthCore

/// The different cases among all candidates of a choice.
///
/// Candidates that differ only in what a computation does not depend on share a case: nothing here
/// depends on names, grants answer nobody but an insider, people have nothing that could be asked for
/// instead of a finger, and within most attacks nothing gets too old.
struct ChoiceCases: Sendable {
  /// The cases of one candidate.
  struct Row {
    /// For the rules, some of which look at everything that a policy asks for.
    var rules: Int
    /// For people.
    var people: Int
    /// For each bound; nil if it is none of an attack.
    var attacks: [Int?]
  }

  private let choice: Choice
  private var cases: [PolicyCase] = []
  /// The cases of the candidates, in their order.
  private(set) var rows: [Row] = []

  init(_ choice: Choice) {
    self.choice = choice
    var numbers: [PolicyCase: Int] = [:]
    rows = choice.space.candidates.map { candidate in
      var plan = choice.plan(candidate).withoutNames
      plan.policy.grant = nil
      let rules = number(plan, &numbers)
      plan.policy.requirement = plan.policy.requirement.withoutPossession
      let people = number(plan, &numbers)
      let attacks = choice.bounds.map { bound -> Int? in
        guard case .attack(let attack, _) = bound else { return nil }
        var attacked = attack.ends(within: plan.policy.freshness) ? plan.withoutFreshness : plan
        if attack.attacker == .insider { attacked.policy.grant = candidate.policy.grant }
        return number(attacked, &numbers)
      }
      return Row(rules: rules, people: people, attacks: attacks)
    }
  }

  private mutating func number(_ plan: PolicyCase, _ numbers: inout [PolicyCase: Int]) -> Int {
    if let number = numbers[plan] { return number }
    cases.append(plan)
    numbers[plan] = cases.count - 1
    return cases.count - 1
  }

  /// Facts that are best computed together: what people come to under rules of freshness that differ
  /// in hours, because logins take a course for each case and not for each rule.
  func together(_ facts: [ChoiceFact]) -> [[ChoiceFact]] {
    var (families, numbers) = ([] as [[ChoiceFact]], [:] as [PolicyCase: Int])
    for fact in facts {
      guard case .people(let number) = fact, cases[number].policy.freshness.isOfHours else {
        families.append([fact])
        continue
      }
      let family = cases[number].withoutFreshness
      if let known = numbers[family] {
        families[known].append(fact)
      } else {
        numbers[family] = families.count
        families.append([fact])
      }
    }
    return families
  }

  /// Computes facts that are together; nil if it was stopped, which is asked before each day that is
  /// solved, and again and again within an attack.
  func find(_ facts: [ChoiceFact], isStopped: () -> Bool) -> [ChoiceFact: ChoiceFinding]? {
    let people = facts.compactMap { fact in
      if case .people(let number) = fact { number } else { nil }
    }
    guard let first = people.first else {
      return facts.first.flatMap { fact in find(fact, isStopped).map { [fact: $0] } }
    }
    return MeanSolution.all(
      cases[first],
      under: people.map { cases[$0].policy.freshness },
      days: min(choice.firstDays, choice.days),
      isStopped: isStopped
    ).map { solutions in
      Dictionary(
        uniqueKeysWithValues: zip(people, solutions).map {
          (.people(case: $0), .people($1.people))
        }
      )
    }
  }

  private func find(_ fact: ChoiceFact, _ isStopped: () -> Bool) -> ChoiceFinding? {
    switch fact {
    case .rules(let number, let rejected):
      let rules = Compliance(
        cases[number],
        rejected: rejected,
        iapar: choice.iapar,
        secrets: choice.secrets
      ).rules
      return .rules(
        Dictionary(uniqueKeysWithValues: rules.map { ($0.rule, RuleStanding($0)) })
      )
    case .people(let number): return first(number, isStopped).map { .people($0.people) }
    case .time(let number): return first(number, isStopped).map { .time($0.longest) }
    case .whole(let number):
      return solution(number, choice.days, isStopped).map { .whole($0.people, $0.longest) }
    case .attack(let number, let bound):
      guard case .attack(let attack, _) = choice.bounds[bound] else { return .attack(nil) }
      do throws(AttackError) {
        return .attack(try AttackSolution(cases[number], attack, isStopped: isStopped).success)
      } catch { return error == .stopped ? nil : .attack(nil) }
    }
  }

  /// The first days, of which there are no more than days.
  private func first(_ number: Int, _ isStopped: () -> Bool) -> MeanSolution? {
    solution(number, min(choice.firstDays, choice.days), isStopped)
  }

  private func solution(
    _ number: Int,
    _ days: UInt32,
    _ isStopped: () -> Bool
  ) -> MeanSolution? {
    let plan = cases[number]
    return MeanSolution.all(
      plan,
      under: [plan.policy.freshness],
      days: days,
      isStopped: isStopped
    )?.first
  }
}

extension MeanSolution {
  /// Bounds of the time that 95 in 100 logins take at most.
  fileprivate var longest: ClosedRange<Duration> { times.percentiles([ChoiceBound.timeShare])[0] }
}

extension FreshnessRules {
  /// Whether no limit can pass within a login.
  fileprivate var isOfHours: Bool {
    [anyWithin, passcodeWithin, unlessMatchedWithin].compactMap(\.self)
      .allSatisfy { $0 >= .seconds(3600) }
  }
}

extension PolicyCase {
  /// The case without what only tells policies apart; its lockout profile is the device's.
  fileprivate var withoutNames: PolicyCase {
    var plan = self
    plan.policy.name = ""
    plan.policy.summary = ""
    plan.policy.acr = ""
    plan.policy.fallbackTitle = nil
    plan.policy.lockout = nil
    return plan
  }

  fileprivate var withoutFreshness: PolicyCase {
    var plan = self
    plan.policy.freshness = FreshnessRules()
    return plan
  }
}
