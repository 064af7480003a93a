import LocalAuthCore

/// What is known of candidates and bounds.
extension ChoiceSearch {
  /// What is known of a candidate and a bound: its standing, or a fact that it depends on.
  private enum Verdict {
    case open(ChoiceFact)
    case known(ChoiceStanding)
  }

  /// The days that a candidate is judged by.
  enum Reach {
    /// The first ones are enough, unless all were solved.
    case firstDays
    /// All of them; by the first ones it is only passed over.
    case allDays
  }

  private func people(_ index: Int) -> ChoicePeople? {
    if let whole = whole(index) { return whole.people }
    let fact = ChoiceFact.people(case: cases.rows[index].people)
    return if case .people(let people)? = known[fact] { people } else { nil }
  }

  private func whole(_ index: Int) -> (people: ChoicePeople, time: ClosedRange<Duration>)? {
    let finding = known[.whole(case: cases.rows[index].people)]
    return if case .whole(let people, let time)? = finding { (people, time) } else { nil }
  }

  private func time(_ index: Int) -> ClosedRange<Duration>? {
    if let whole = whole(index) { return whole.time }
    let finding = known[.time(case: cases.rows[index].people)]
    return if case .time(let time)? = finding { time } else { nil }
  }

  /// Whether what is known of people is of all days.
  private func isWhole(_ index: Int) -> Bool { !choice.hasLaterDays || whole(index) != nil }

  private func isJudged(_ index: Int, _ reach: Reach) -> Bool {
    reach == .firstDays || isWhole(index)
  }

  private func verdict(_ bound: Int, _ index: Int, _ reach: Reach) -> Verdict {
    let (candidate, row) = (choice.space.candidates[index], cases.rows[index])
    switch choice.bounds[bound] {
    case .authenticators(let all):
      return .known(all.include(candidate.policy.requirement) ? .met(nil) : .missed(nil))
    case .rule(let rule): return verdict(rule: rule, index, reach)
    case .cost(let most):
      return verdict(most, index, reach) { choice.prices.perYear($0, choice.habits) }
    case .lockouts(let most): return verdict(most, index, reach, \.lockoutsPerYear)
    case .denied(let most): return verdict(most, index, reach, \.denied)
    case .attack(_, let most):
      let fact = ChoiceFact.attack(case: row.attacks[bound] ?? row.people, bound: bound)
      guard case .attack(let success)? = known[fact] else { return .open(fact) }
      return .known(success.map { .of($0, atMost: most) } ?? .missed(nil))
    case .time(let most):
      guard let time = time(index) else {
        return .open(
          isJudged(index, reach) ? .time(case: row.people) : .whole(case: row.people)
        )
      }
      return verdict(time.upperBound / .seconds(1), most / .seconds(1), index, reach)
    }
  }

  private func verdict(
    _ most: Double,
    _ index: Int,
    _ reach: Reach,
    _ value: (ChoicePeople) -> Double
  ) -> Verdict {
    guard let people = people(index) else {
      return .open(.people(case: cases.rows[index].people))
    }
    return verdict(value(people), most, index, reach)
  }

  /// Of the first days, only a value that exceeds the limit by far decides.
  private func verdict(_ value: Double, _ most: Double, _ index: Int, _ reach: Reach) -> Verdict {
    guard !isJudged(index, reach) else { return .known(.of(value, atMost: most)) }
    let least = ChoiceStanding.of(value * choice.leastPart, atMost: most)
    return least.isMet ? .open(.whole(case: cases.rows[index].people)) : .known(least)
  }

  /// More refusals break a rule and mend none, so one that is broken without any is broken.
  private func verdict(rule: String, _ index: Int, _ reach: Reach) -> Verdict {
    let row = cases.rows[index]
    let least = ChoiceFact.rules(case: row.rules, rejected: 0)
    guard let best = standing(rule, least) else { return .open(least) }
    guard best.isKept else { return .known(.missed(nil)) }
    guard let people = people(index) else { return .open(.people(case: row.people)) }
    let isJudged = isJudged(index, reach)
    let rejected = people.rejected * (isJudged ? 1 : choice.leastPart)
    let fact = ChoiceFact.rules(case: row.rules, rejected: rejected)
    guard let standing = standing(rule, fact) else { return .open(fact) }
    guard standing.isKept else { return .known(.missed(nil)) }
    return isJudged ? .known(.met(nil)) : .open(.whole(case: row.people))
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

  /// The rules that no candidate meets, even if nobody is refused, and why.
  var unmet: [UnmetRule] {
    choice.bounds.indices.compactMap { bound in
      let standings = cases.rows.indices.compactMap { ruleStanding(bound, $0) }
      let broken = standings.compactMap { standing in
        if case .broken(let clauses) = standing { clauses } else { nil }
      }
      let moot = standings.count { $0 == .moot }
      // What is not known of a candidate may be met.
      let isKnown = broken.count + moot == standings.count
      let common = broken.dropFirst().reduce(broken.first ?? []) { $0.intersection($1) }
      guard !standings.contains(.kept), moot > 0 || isKnown && !common.isEmpty else { return nil }
      return UnmetRule(
        bound: bound,
        moot: moot,
        clauses: isKnown ? common.sorted { $0.clause < $1.clause } : []
      )
    }
  }

  /// Whether the candidate is known to miss a bound.
  func misses(_ index: Int) -> Bool {
    choice.bounds.indices.contains { bound in
      if case .known(.missed) = verdict(bound, index, .allDays) { true } else { false }
    }
  }

  /// The next fact that decides about a candidate; nil if it is known to miss a bound, or if all but
  /// those `besides` which it is to be decided are known.
  func missing(
    _ index: Int,
    _ reach: Reach,
    besides isLater: (Int, Int) -> Bool = { _, _ in false }
  ) -> ChoiceFact? {
    guard !misses(index) else { return nil }
    return needed(index, reach, besides: isLater).min { $0.effort < $1.effort }
  }

  /// Everything open about a candidate; its cost is, because without it has no place in the order.
  func needed(
    _ index: Int,
    _ reach: Reach,
    besides isLater: (Int, Int) -> Bool = { _, _ in false }
  ) -> [ChoiceFact] {
    let number = cases.rows[index].people
    var facts: [ChoiceFact] = []
    if people(index) == nil {
      facts.append(.people(case: number))
    } else if !isJudged(index, reach) {
      facts.append(.whole(case: number))
    }
    return facts
      + choice.bounds.indices.compactMap { bound in
        if case .open(let fact) = verdict(bound, index, reach), !isLater(bound, index) {
          fact
        } else {
          nil
        }
      }
  }

  /// What is known of a candidate; nil before it is known what people come to.
  ///
  /// A bound of which nothing is known counts as missed, and is among the open ones.
  func chosen(_ index: Int, _ reach: Reach = .allDays) -> ChosenPolicy? {
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
    chosen.isWhole = isWhole(index)
    for bound in choice.bounds.indices {
      if case .known(let standing) = verdict(bound, index, reach) {
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
    chosen.time = time(index)
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
    case .whole: 4
    }
  }
}
