import LocalAuthCore
public import LocalAuthKeychain

/// A proof as the engine makes it: of an evaluation of the item's access control that succeeded.
///
/// Nil where the access control asks for nothing, or for a companion.
public func proof(
  of item: ItemIdentifier,
  _ accessControl: AccessControl,
  for operation: AccessOperation = .decrypt,
  generation: UInt64 = 7
) -> Proof? {
  let context = ContextIdentity(connection: 1, context: 1)
  guard case .requires(let requirement) = accessControl.rule(for: operation, at: generation) else {
    return nil
  }
  var authorizations = Authorizations()
  let isGranted = authorizations.grant(
    AuthorizationScope(operation, on: [item], accessControl, in: context, by: 1),
    by: success(at: requirement, generation),
    at: generation,
    until: BootInstant(nanoseconds: 2)
  )
  guard isGranted else { return nil }
  return authorizations.proof(
    for: ItemUse(operation, of: item, accessControl, in: context, by: 1),
    at: BootInstant(nanoseconds: 1),
    generation: generation
  )
}

private func success(at requirement: Requirement, _ generation: UInt64) -> EvaluationMachine {
  let policy = Policy(name: "item", requirement: requirement, presentation: .parallel)
  let profile = LockoutProfile(name: "open", delays: DelayTable(rows: [], locksAt: nil))
  let conditions = Conditions(biometry: .usable, passcode: .usable)
  var rules = EvaluationMachine.Rules(policy: policy, profile: profile, isInteractive: true)
  if requirement.factors.contains(.applicationPassword) { rules.given = .applicationPassword }
  var evaluation = EvaluationMachine(rules: rules)
  _ = evaluation.begin(conditions: conditions)
  _ = evaluation.armed(conditions: conditions)
  for factor in [Factor.biometry, .passcode] {
    _ = evaluation.offered(factor, conditions: conditions)
    _ = evaluation.judged(
      factor,
      .proven(finger: nil, generation: generation),
      conditions: conditions
    )
  }
  return evaluation
}
