import LocalAuthCore
import LocalAuthKeychain

/// The evaluations that a person, or nobody, answers for an item.
extension ItemModel {
  /// A success of what `demand` asks for by `factors`; nil if it asks for nothing that can be proven.
  func evaluation(of demand: ItemDemand, _ factors: FactorSet) -> EvaluationMachine? {
    guard let requirement = requirement(of: demand) else { return nil }
    return Self.evaluation(of: requirement, proving: factors, generation: generation)
  }

  private func requirement(of demand: ItemDemand) -> Requirement? {
    let rule = itemGuard.accessControl.rule(for: demand.operations[0], at: generation)
    guard case .requires(let requirement) = rule else { return nil }
    return requirement
  }

  /// Evaluations that are no success of what `demand` asks for.
  func strangeEvaluations(of demand: ItemDemand) -> [EvaluationMachine] {
    let others: [Requirement] = [
      .passcode, .biometry(.any), .biometry(.current(generation: generation)),
      .anyOf([.biometry(.any), .passcode]), .allOf([.biometry(.any), .passcode]),
    ]
    let asked = requirement(of: demand)
    var all = others.filter { $0 != asked }.map {
      Self.evaluation(of: $0, proving: [.biometry, .passcode], generation: generation)
    }
    guard let asked else { return all }
    all.append(Self.evaluation(of: asked, proving: [], generation: generation))
    for proven in itemGuard.ways(at: generation) {
      all.append(Self.evaluation(of: asked, missing: proven, generation: generation))
    }
    // A finger of the set before is none of the current one.
    if asked == .biometry(.current(generation: generation)) {
      all.append(Self.evaluation(of: asked, proving: .biometry, generation: generation - 1))
    }
    return all + standIns(for: asked)
  }

  /// Successes by an unlock and by a grant, which were proven for something else.
  private func standIns(for requirement: Requirement) -> [EvaluationMachine] {
    let ways = itemGuard.ways(at: generation)
    var granted = Self.conditions
    granted.granted = ways.first.map { Proven(factors: $0, biometryGeneration: generation) }
    var byGrant = Self.begun(requirement, granted)
    _ = byGrant.redeemed()
    guard ways.contains(.biometry) else { return [byGrant] }
    var reused = Self.conditions
    reused.reusableUnlock = generation
    return [byGrant, Self.begun(requirement, reused)]
  }

  private static let conditions = Conditions(biometry: .usable, passcode: .usable)

  private static func begun(
    _ requirement: Requirement,
    _ conditions: Conditions
  ) -> EvaluationMachine {
    let policy = Policy(name: "item", requirement: requirement, presentation: .parallel)
    let open = LockoutProfile(name: "open", delays: DelayTable(rows: [], locksAt: nil))
    var evaluation = EvaluationMachine(
      rules: .init(policy: policy, profile: open, isInteractive: true)
    )
    _ = evaluation.begin(conditions: conditions)
    return evaluation
  }

  private static func evaluation(
    of requirement: Requirement,
    proving proven: FactorSet = [],
    missing missed: FactorSet = [],
    generation: UInt64
  ) -> EvaluationMachine {
    var evaluation = begun(requirement, conditions)
    _ = evaluation.armed(conditions: conditions)
    for factor in proven.union(missed).factors {
      let finger = factor == .biometry ? generation : nil
      let verdict = Verdict.proven(finger: nil, generation: finger)
      _ = evaluation.offered(factor, conditions: conditions)
      _ = evaluation.judged(
        factor,
        proven.contains(factor.alone) ? verdict : .miss,
        conditions: conditions
      )
    }
    return evaluation
  }
}
