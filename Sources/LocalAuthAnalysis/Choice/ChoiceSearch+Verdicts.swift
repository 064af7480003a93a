import LocalAuthCore

/// What is known of candidates and bounds.
extension ChoiceSearch {
  /// What is known of a candidate and a bound: its standing, or a fact that it depends on.
  private enum Verdict {
    case open(ChoiceFact)
    case known(ChoiceStanding)
  }

  private func people(_ index: Int) -> ChoicePeople? {
    let fact = ChoiceFact.people(case: cases.rows[index].people)
    return if case .people(let people)? = known[fact] { people } else { nil }
  }

  private func verdict(_ bound: Int, _ index: Int) -> Verdict {
    let (candidate, row) = (choice.space.candidates[index], cases.rows[index])
    switch choice.bounds[bound] {
    case .authenticators(let all):
      return .known(all.include(candidate.policy.requirement) ? .met(nil) : .missed(nil))
    case .rule(let rule): return verdict(rule: rule, index)
    case .cost(let most):
      return verdict(most, index) { choice.prices.perYear($0, choice.habits) }
    case .lockouts(let most): return verdict(most, index, \.lockoutsPerYear)
    case .denied(let most): return verdict(most, index, \.denied)
    case .attack(_, let most):
      let fact = ChoiceFact.attack(case: row.attacks[bound] ?? row.people, bound: bound)
      guard case .attack(let success)? = known[fact] else { return .open(fact) }
      return .known(success.map { .of($0, atMost: most) } ?? .missed(nil))
    case .time(let most):
      let fact = ChoiceFact.time(case: row.people)
      guard case .time(let time)? = known[fact] else { return .open(fact) }
      return .known(.of(time.upperBound / .seconds(1), atMost: most / .seconds(1)))
    }
  }

  private func verdict(_ most: Double, _ index: Int, _ value: (ChoicePeople) -> Double) -> Verdict {
    guard let people = people(index) else {
      return .open(.people(case: cases.rows[index].people))
    }
    return .known(.of(value(people), atMost: most))
  }

  /// More refusals break a rule and mend none, so one that is broken without any is broken.
  private func verdict(rule: String, _ index: Int) -> Verdict {
    let row = cases.rows[index]
    let least = ChoiceFact.rules(case: row.rules, rejected: 0)
    guard let best = standing(rule, least) else { return .open(least) }
    guard best.isKept else { return .known(.missed(nil)) }
    guard let people = people(index) else { return .open(.people(case: row.people)) }
    let fact = ChoiceFact.rules(case: row.rules, rejected: people.rejected)
    guard let standing = standing(rule, fact) else { return .open(fact) }
    return .known(standing.isKept ? .met(nil) : .missed(nil))
  }

  private func standing(_ rule: String, _ fact: ChoiceFact) -> RuleStanding? {
    if case .rules(let standings)? = known[fact] { standings[rule] } else { nil }
  }

  /// How a candidate stands to the rule of a bound, as far as that is known; nil if it is no rule.
  ///
  /// Without refusals, because what is not said of a policy does not depend on them.
  private func ruleStanding(_ bound: Int, _ index: Int) -> RuleStanding? {
    guard case .rule(let rule) = choice.bounds[bound] else { return nil }
    return standing(rule, .rules(case: cases.rows[index].rules, rejected: 0))
  }

  /// The rules that nobody can tell of some candidates.
  var unknown: [UnknownRule] {
    choice.bounds.indices.compactMap { bound in
      let unsaid = cases.rows.indices.compactMap { index in
        if case .unknown(let unsaid)? = ruleStanding(bound, index) { unsaid } else { nil }
      }
      guard !unsaid.isEmpty else { return nil }
      return UnknownRule(
        bound: bound,
        candidates: unsaid.count,
        unsaid: unsaid.reduce([]) { $0.union($1) }
      )
    }
  }

  /// Whether the candidate is known to miss a bound.
  func misses(_ index: Int) -> Bool {
    choice.bounds.indices.contains { bound in
      if case .known(.missed) = verdict(bound, index) { true } else { false }
    }
  }

  /// The next fact that decides about a candidate; nil if it is known to miss a bound, or if all but
  /// those `besides` which it is to be decided are known.
  func missing(
    _ index: Int,
    besides isLater: (Int, Int) -> Bool = { _, _ in false }
  ) -> ChoiceFact? {
    guard !misses(index) else { return nil }
    return needed(index, besides: isLater).min { $0.effort < $1.effort }
  }

  /// Everything open about a candidate; its cost is, because without it has no place in the order.
  func needed(
    _ index: Int,
    besides isLater: (Int, Int) -> Bool = { _, _ in false }
  ) -> [ChoiceFact] {
    let cost = people(index) == nil ? [ChoiceFact.people(case: cases.rows[index].people)] : []
    let open = choice.bounds.indices.compactMap { bound in
      if case .open(let fact) = verdict(bound, index), !isLater(bound, index) {
        fact
      } else {
        nil
      }
    }
    return cost + open
  }

  /// What is known of a candidate; nil before it is known what people come to.
  ///
  /// A bound of which nothing is known counts as missed, and is among the open ones.
  func chosen(_ index: Int) -> ChosenPolicy? {
    guard let people = people(index) else { return nil }
    let row = cases.rows[index]
    var chosen = ChosenPolicy(
      index: index,
      candidate: choice.space.candidates[index],
      cost: choice.prices.perYear(people, choice.habits),
      people: people,
      attacks: [],
      standings: []
    )
    for bound in choice.bounds.indices {
      if case .known(let standing) = verdict(bound, index) {
        chosen.standings.append(standing)
      } else {
        chosen.standings.append(.missed(nil))
        chosen.open.append(bound)
      }
      if case .moot? = ruleStanding(bound, index) { chosen.moot.append(bound) }
    }
    for bound in choice.bounds.indices {
      guard case .attack = choice.bounds[bound], let number = row.attacks[bound] else { continue }
      let finding = known[.attack(case: number, bound: bound)]
      if case .attack(let success)? = finding {
        chosen.attacks.append(success)
      } else {
        chosen.attacks.append(nil)
      }
    }
    if case .time(let time)? = known[.time(case: row.people)] { chosen.time = time }
    return chosen
  }
}

extension ChoiceSearch {
  /// Whether a candidate is asked about a bound only if it keeps to all others: its time takes long to
  /// compute, and so do attacks on tables that forget.
  func isOfFew(_ bound: Int, _ index: Int) -> Bool {
    switch choice.bounds[bound] {
    case .time: return true
    case .attack:
      let candidate = choice.space.candidates[index]
      return candidate.lockout.delays.forgets != nil || candidate.delays.delays.forgets != nil
    case .authenticators, .rule, .cost, .lockouts, .denied: return false
    }
  }
}

extension ChoiceFact {
  /// How much work it is beside others.
  fileprivate var effort: Int {
    switch self {
    case .rules: 0
    case .attack: 1
    case .people: 2
    case .time: 3
    }
  }
}
