import LocalAuthCore
import LocalAuthKeychain
import LocalAuthSecret

/// Having proven what items ask for.
extension KeychainRun {
  /// How the call may ask; nobody is asked where the caller has nobody.
  func interface(_ options: CallOptions) -> InterfaceMode {
    options.interface == .allow && !request.asking.isInteractive ? .fail : options.interface
  }

  /// What came with the request and is judged by the item that it opens.
  var given: FactorSet { passwords.password == nil ? [] : .applicationPassword }

  /// What this call is about to do with an item.
  func use(
    _ operation: AccessOperation,
    of item: ItemIdentifier,
    _ accessControl: AccessControl
  ) -> ItemUse {
    ItemUse(operation, of: item, accessControl, in: request.context, by: id.low)
  }

  /// Has every demand proven, one after the other; `body` runs when all are.
  func prove(
    _ demands: ArraySlice<ItemWalk.Demand>,
    then body: @escaping () throws(KeychainError) -> Void
  ) {
    guard let demand = demands.first else { return attempting(body) }
    let scope = AuthorizationScope(
      demand.operation,
      on: demand.items,
      demand.accessControl,
      in: request.context,
      by: id.low
    )
    attempting { () throws(KeychainError) in
      try prove(scope, naming: demand.named) { [self] in prove(demands.dropFirst(), then: body) }
    }
  }

  /// Has proven, before `operations` on any item that has it, what an access control asks for.
  func evaluate(
    _ accessControl: AccessControl,
    _ operations: [AccessOperation]
  ) throws(KeychainError) {
    let bound = try accessControl.bound(to: device.enrolment)
    let rules = operations.map { bound.rule(for: $0, at: generation) }
    guard !rules.contains(.denied) else { throw .authentication(.notPermitted) }
    let scope = AuthorizationScope(operations, onEvery: bound, in: request.context)
    guard !device.authorizations.covers(scope, at: now.boot, generation: generation) else {
      return finish(KeychainAnswer())
    }
    try prove(scope, naming: NamedItems(operations, onEvery: bound)) { [self] in
      finish(KeychainAnswer())
    }
  }

  /// Has proven what the scope's access control asks for, by a prompt that says `named`.
  private func prove(
    _ scope: AuthorizationScope,
    naming named: NamedItems,
    then body: @escaping () -> Void
  ) throws(KeychainError) {
    // What became of it meanwhile shows when the rows are gone through again.
    guard let operation = scope.operations.first,
      case .requires(let requirement) = scope.accessControl.rule(for: operation, at: generation)
    else { return body() }
    var asking = request.asking
    // What is asked for when an item needs it is judged by that item, as what came with the request is.
    asking.given = (asksForPassword ? .applicationPassword : given)
      .intersection(requirement.factors)
    try ask(requirement, asking, naming: named) { [self] session in
      let isGranted = device.authorizations.grant(
        scope,
        by: session.evaluation,
        at: generation,
        until: now.boot + Authorizations.longest
      )
      guard isGranted else { return fail(.authentication(.authenticationFailed)) }
      body()
    }
  }

  /// Asks somebody for what `requirement` says, by a prompt that says `named`; `body` hears of a success, and
  /// anything else ends the call.
  func ask(
    _ requirement: Requirement,
    _ asking: EvaluationRequest,
    naming named: NamedItems,
    then body: @escaping (Session) -> Void
  ) throws(KeychainError) {
    let policy: Policy
    do throws(EngineError) {
      policy = try engine.itemPolicy(for: requirement)
      if script == nil { script = try engine.player(for: request.asking, on: device) }
    } catch {
      throw .authentication(.badConfiguration)
    }
    var asking = asking
    asking.purpose = .keychain
    asking.policy = policy.name
    asking.reuse = .zero
    asking.items = named
    let session = Session(
      id: EvaluationID(using: &engine.random),
      caller: caller,
      request: asking,
      device: device,
      policy: policy,
      policyProfile: nil,
      script: script,
      engine: engine,
      onEvent: { [self] event in heard(event, body) }
    )
    self.session = session
    engine.begin(session)
  }

  private func heard(_ event: SessionEvent, _ body: (Session) -> Void) {
    guard case .finished(let result) = event else { return onEvent(.asking(event)) }
    guard let session, !isFinished else { return }
    self.session = nil
    script = session.script
    evaluation = result
    guard result.outcome == .success else { return fail(.authentication(result.outcome.code)) }
    body(session)
  }
}

extension Engine {
  /// How an item's access control is evaluated: as the `device-owner` policy says, but for what is to be
  /// proven; and no earlier unlock stands in for it.
  func itemPolicy(for requirement: Requirement) throws(EngineError) -> Policy {
    var policy = try policy(named: "device-owner")
    policy.name = "keychain"
    policy.requirement = requirement
    policy.needsPasscodeSet = false
    policy.reuseLimit = .zero
    policy.lockout = nil
    return policy
  }
}
