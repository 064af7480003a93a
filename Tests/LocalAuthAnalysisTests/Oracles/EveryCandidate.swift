import LocalAuthAnalysis
import LocalAuthCore
import LocalAuthPolicies
import LocalAuthSensor

/// Every candidate of the shipped space, each solved by itself for everything: nothing is shared,
/// nothing is left out.
struct EveryCandidate {
  /// What one candidate comes to.
  struct Worth {
    var candidate: ChoiceSpace.Candidate
    var solution: Solution
    var time: Double
    var rules: Set<String>
    var attacks: [Attack: Double]
  }

  let attacks: [Attack]
  let all: [Worth]

  /// Solves the candidates of `choice`, and these attacks on them.
  init(_ choice: Choice, _ attacks: [Attack]) throws {
    self.attacks = attacks
    all = try choice.space.candidates.map { candidate in
      let plan = PolicyCase(
        policy: candidate.policy,
        rules: DeviceAttempts.Rules(
          lockout: candidate.lockout,
          // As a written file has it.
          and: candidate.policy.lockout.map { _ in candidate.lockout },
          delays: candidate.delays
        ),
        sensor: choice.sensor,
        prints: choice.prints,
        habits: choice.habits
      )
      let solution = Solution(plan, days: choice.days)
      let compliance = Compliance(
        plan,
        rejected: solution.rejected,
        iapar: choice.iapar,
        secrets: choice.secrets
      )
      return Worth(
        candidate: candidate,
        solution: solution,
        time: solution.times().percentiles([0.95])[0].upperBound / .seconds(1),
        rules: Set(
          compliance.rules.filter { rule in
            let findings = rule.clauses.map(\.finding)
            return findings.contains(.met) && !findings.contains(.failed)
              && !findings.contains(.unknown)
          }.map(\.rule)
        ),
        attacks: try Dictionary(
          uniqueKeysWithValues: attacks.map { ($0, try AttackSolution(plan, $0).success) }
        )
      )
    }
  }

  /// What a candidate costs, in hundredths.
  func cost(_ worth: Worth, _ prices: ChoicePrices) -> Double {
    let logins = 3652.5
    let denied = logins * worth.solution.denied
    let hours = (logins - denied) * (worth.solution.meanTime / .seconds(3600))
    let cost =
      prices.lockout * worth.solution.lockoutsPerYear + prices.denied * denied
      + prices.hour * hours
    return (cost * 100).rounded()
  }

  /// Whether a candidate keeps to `bound`.
  func keeps(_ worth: Worth, _ bound: ChoiceBound, _ prices: ChoicePrices) -> Bool {
    // A billionth is rounding.
    func isKept(_ value: Double, _ most: Double) -> Bool { value <= most + most / 1e9 }
    switch bound {
    case .authenticators(let all):
      // What the shipped policies ask for, by name.
      let asked: [String: Set<String>] = [
        "biometrics": ["finger"], "passcode": ["passcode"],
        "work-laptop": ["finger", "passcode", "key"],
      ]
      var have = all.kinds
      if all.factors.contains(.biometry) { have.insert("finger") }
      if all.factors.contains(.passcode) { have.insert("passcode") }
      return have.isSuperset(of: asked[worth.candidate.form] ?? ["finger", "passcode"])
    case .rule(let rule): return worth.rules.contains(rule)
    case .cost(let most): return isKept(cost(worth, prices) / 100, most)
    case .lockouts(let most): return isKept(worth.solution.lockoutsPerYear, most)
    case .denied(let most): return isKept(worth.solution.denied, most)
    case .attack(let attack, let most): return isKept(worth.attacks[attack] ?? 1, most)
    case .time(let most): return isKept(worth.time, most / .seconds(1))
    }
  }

  /// Those that keep to all bounds, by cost, then by the worst attack, then in the order of the space;
  /// of those that only delays and grants tell apart at one cost, the first.
  func chosen(_ bounds: [ChoiceBound], _ prices: ChoicePrices) -> [ChoiceSpace.Candidate] {
    let asked = bounds.compactMap { bound in
      if case .attack(let attack, _) = bound { attack } else { nil }
    }
    func key(_ index: Int) -> (Double, Double, Int) {
      (cost(all[index], prices), asked.map { all[index].attacks[$0] ?? 1 }.max() ?? 0, index)
    }
    let kept = all.indices.filter { index in
      bounds.allSatisfy { keeps(all[index], $0, prices) }
    }
    var chosen: [ChoiceSpace.Candidate] = []
    var costs: [Double] = []
    for index in kept.sorted(by: { key($0) < key($1) }) {
      let candidate = all[index].candidate
      let isListed = zip(chosen, costs).contains { other, cost in
        cost == key(index).0 && other.form == candidate.form && other.lockout == candidate.lockout
          && other.policy.freshness == candidate.policy.freshness
      }
      guard !isListed else { continue }
      chosen.append(candidate)
      costs.append(key(index).0)
    }
    return chosen
  }
}
