import LocalAuthCore
import LocalAuthKeychain
import LocalAuthSecret

/// Proving what items require.
extension KeychainRun {
  /// How the call may prompt: never if the caller is not interactive.
  func interface(_ options: CallOptions) -> InterfaceMode {
    options.interface == .allow && !request.asking.isInteractive ? .fail : options.interface
  }

  /// The factors that came with the request and are judged by the item they open.
  var given: FactorSet { passwords.password == nil ? [] : .applicationPassword }

  /// The use that this call is about to make of an item.
  func use(
    _ operation: AccessOperation,
    of item: ItemIdentifier,
    _ accessControl: AccessControl
  ) -> ItemUse {
    ItemUse(operation, of: item, accessControl, in: request.context, by: id.low)
  }

  /// Obtains proof for every demand, in turn; then runs `body`.
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

  /// Obtains proof in advance for `operations` on any item with `accessControl`.
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

  /// Obtains proof for the scope's access control with a prompt that says `named`.
  private func prove(
    _ scope: AuthorizationScope,
    naming named: NamedItems,
    then body: @escaping () -> Void
  ) throws(KeychainError) {
    // Anything that changed meanwhile is found when the rows are scanned again.
    guard let operation = scope.operations.first,
      case .requires(let requirement) = scope.accessControl.rule(for: operation, at: generation)
    else { return body() }
    var asking = request.asking
    // A password asked for on demand is judged by the item, as one that came with the request is.
    asking.given = (asksForPassword ? .applicationPassword : given)
      .intersection(requirement.factors)
    asking.typesPasswordLater = given.isEmpty && !asking.given.isEmpty
    try ask(requirement, asking, naming: named) { [self] session in
      let isGranted = device.authorizations.grant(
        scope,
        by: session.evaluation,
        at: generation,
        until: now.boot + Authorizations.longest
      )
      if session.isUndecided(Outcome(.success)) { passwords.decide(session) }
      guard isGranted else { return fail(.authentication(.authenticationFailed)) }
      body()
    }
  }

  /// Prompts for `requirement`, describing the items as `named`; `body` runs on success, and
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
    let id = EvaluationID(using: &engine.random)
    let hear: (SessionEvent) -> Void = { [self] event in heard(event, body) }
    let conversation = asking.asksAgent ? engine.agentDesk.conversation(of: id, hear) : nil
    let session = Session(
      id: id,
      caller: caller,
      request: asking,
      device: device,
      policy: policy,
      policyProfile: nil,
      script: script,
      engine: engine,
      conversation: conversation,
      onEvent: conversation?.hear ?? hear
    )
    self.session = session
    engine.begin(session)
  }

  private func heard(_ event: SessionEvent, _ body: (Session) -> Void) {
    guard case .finished(let result) = event else { return onEvent(.asking(event)) }
    guard let session else { return }
    // A call that has ended would otherwise keep itself, and its secrets, through its session.
    self.session = nil
    guard !isFinished else {
      // Nothing judges the password on which a success depends that comes too late.
      if session.isUndecided(result.outcome) {
        engine.runner.store([session.passwordJudged(.appCancel)])
      }
      return
    }
    script = session.script
    evaluation = result
    guard result.outcome == .success else { return fail(.authentication(result.outcome.code)) }
    body(session)
  }
}

extension Engine {
  /// The policy that evaluates an item's access control: the `device-owner` policy with another
  /// requirement, and without reuse of an earlier unlock.
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
