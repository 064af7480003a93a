import LocalAuthCore
import LocalAuthKeychain
import LocalAuthSecret

/// One keychain call in progress.
///
/// It goes through the rows that the call is about with an ``ItemWalk``, has proven what they ask for,
/// and goes through them again. A call that changes items has its device's turn from before it looks
/// until the change is durable, but not while somebody is asked.
final class KeychainRun {
  let id: EvaluationID
  let request: KeychainRequest
  let caller: Caller
  let device: Device
  /// It ends with the engine, which keeps all runs and is the only one that calls them.
  unowned let engine: Engine
  private let onEvent: (KeychainEvent) -> Void
  private var script: ScriptPlayer?
  private var session: Session?
  private var evaluation: EvaluationResult?
  /// Which of the new items is being judged.
  var itemInQuestion: Int?
  private var hasTurn = false
  private var isCommitting = false
  private(set) var isFinished = false
  /// The keys that the application password makes for items, so far.
  private var passwordKeys: [ItemIdentifier: SecretBox] = [:]
  /// The application password that somebody typed for this call.
  private var typedPassword: SecretBox?
  private var wrongPasswords = 0

  init(
    id: EvaluationID,
    request: KeychainRequest,
    caller: Caller,
    device: Device,
    script: ScriptPlayer?,
    engine: Engine,
    onEvent: @escaping (KeychainEvent) -> Void
  ) {
    self.id = id
    self.request = request
    self.caller = caller
    self.device = device
    self.script = script
    self.engine = engine
    self.onEvent = onEvent
  }

  var now: Moment { device.now(engine.clock.now()) }
  var generation: UInt64 { device.record.enrolment.generation }

  func begin() {
    guard !isFinished else { return }
    if device.record.isSimulated, !request.asking.allowsSimulated {
      return fail(.authentication(.simulatedNotAllowed))
    }
    guard device.sealedKeybag != nil else { return fail(.authentication(.passcodeNotSet)) }
    attempting { () throws(KeychainError) in
      switch request.operation {
      case .add(let items): try add(items)
      case .copy(let dictionary, let cursor): try copy(dictionary, after: cursor)
      case .update(let dictionary, let changes, let data): try update(dictionary, changes, data)
      case .delete(let dictionary): try delete(dictionary)
      case .generateKey(let dictionary): try generateKey(dictionary)
      case .useKey(let dictionary, let use): try useKey(dictionary, use)
      case .evaluate(let control, let operations): try evaluate(control, operations)
      }
    }
  }

  /// Ends the call from outside, unless its change is on its way to the disk.
  func cancel(_ outcome: OutcomeCode) {
    guard !isCommitting else { return }
    fail(.authentication(outcome))
    session?.end(Outcome(outcome))
  }

  // MARK: The end

  func finish(_ answer: consuming KeychainAnswer) {
    guard !isFinished else { return }
    isFinished = true
    script?.stop()
    leaveTurn()
    engine.keychainRuns[id] = nil
    answer.evaluation = evaluation
    onEvent(.finished(answer))
  }

  func fail(_ error: KeychainError) {
    finish(KeychainAnswer(error: error, failedItem: itemInQuestion))
  }

  /// Runs `body`; what it throws ends the call.
  func attempting(_ body: () throws(KeychainError) -> Void) {
    do throws(KeychainError) {
      try body()
    } catch {
      fail(error)
    }
  }

  // MARK: Changes

  /// Runs `body` when it is this call's turn to change items.
  func takingTurn(_ body: @escaping () throws(KeychainError) -> Void) {
    device.mutations.enter { [self] in
      hasTurn = true
      guard !isFinished else { return leaveTurn() }
      attempting(body)
    }
  }

  func leaveTurn() {
    guard hasTurn else { return }
    hasTurn = false
    device.mutations.leave()
  }

  /// Makes `changes` durable; the call has the turn.
  ///
  /// `recover` runs where the store has an item of the same key or identifier already; the call has the
  /// turn then too, and nothing was changed.
  func commit(
    _ changes: [ItemChange],
    then answer: KeychainAnswer,
    orIfDuplicate recover: (() throws(KeychainError) -> Void)? = nil
  ) {
    guard !device.isRemoved else { return fail(.authentication(.systemCancel)) }
    isCommitting = true
    engine.interpreter.commit([], items: changes, .ordinary) { [self] result in
      isCommitting = false
      switch result {
      case .success: finish(answer)
      case .failure(.duplicate):
        if let recover { attempting(recover) } else { fail(.duplicateItem) }
      case .failure(let error): fail(.storage(error))
      }
    }
  }

  // MARK: Proof

  /// How the call may ask; nobody is asked where the caller has nobody.
  func interface(_ options: CallOptions) -> InterfaceMode {
    options.interface == .allow && !request.asking.isInteractive ? .fail : options.interface
  }

  /// What came with the request and is judged by the item that it opens.
  var given: FactorSet { applicationPassword == nil ? [] : .applicationPassword }

  private var applicationPassword: SecretBox? { typedPassword ?? request.applicationPassword }

  func scope(_ accessControl: AccessControl, _ operation: AccessOperation) -> AuthorizationScope {
    AuthorizationScope(
      context: request.context,
      accessControl: accessControl,
      operation: operation
    )
  }

  /// Has every demand proven, one after the other; `body` runs when all are.
  func prove(
    _ demands: ArraySlice<ItemWalk.Demand>,
    then body: @escaping () throws(KeychainError) -> Void
  ) {
    guard let demand = demands.first else { return attempting(body) }
    attempting { () throws(KeychainError) in
      try prove(demand.accessControl, [demand.operation]) { [self] in
        prove(demands.dropFirst(), then: body)
      }
    }
  }

  /// Has proven what an access control asks for before operations that it asks the same for.
  func prove(
    _ accessControl: AccessControl,
    _ operations: [AccessOperation],
    then body: @escaping () -> Void
  ) throws(KeychainError) {
    // What became of it meanwhile shows when the rows are gone through again.
    guard let operation = operations.first,
      case .requires(let requirement) = accessControl.rule(for: operation, at: generation)
    else { return body() }
    var asking = request.asking
    // What is asked for when an item needs it is judged by that item, as what came with the request is.
    asking.given = asksForPassword ? .applicationPassword : given
    let scopes = operations.map { scope(accessControl, $0) }
    try ask(requirement, asking) { [self] event in heard(event, scopes, body) }
  }

  /// Asks somebody for what `requirement` says.
  private func ask(
    _ requirement: Requirement,
    _ asking: EvaluationRequest,
    onEvent: @escaping (SessionEvent) -> Void
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
    let session = Session(
      id: EvaluationID(using: &engine.random),
      caller: caller,
      request: asking,
      device: device,
      policy: policy,
      policyProfile: nil,
      script: script,
      engine: engine,
      onEvent: onEvent
    )
    self.session = session
    engine.begin(session)
  }

  private func heard(
    _ event: SessionEvent,
    _ scopes: [AuthorizationScope],
    _ body: () -> Void
  ) {
    guard let session = finished(event) else { return }
    for scope in scopes {
      let isGranted = device.authorizations.grant(
        scope,
        by: session.machine,
        at: generation,
        until: now.boot + Authorizations.longest
      )
      guard isGranted else { return fail(.authentication(.authenticationFailed)) }
    }
    body()
  }

  /// Passes on what an evaluation says; it itself once it ended with a success.
  private func finished(_ event: SessionEvent) -> Session? {
    guard case .finished(let result) = event else {
      onEvent(.asking(event))
      return nil
    }
    guard let session, !isFinished else { return nil }
    self.session = nil
    script = session.script
    evaluation = result
    guard result.outcome == .success else {
      fail(.authentication(result.outcome.code))
      return nil
    }
    return session
  }

  private func evaluate(
    _ accessControl: AccessControl,
    _ operations: [AccessOperation]
  ) throws(KeychainError) {
    let bound = try accessControl.bound(to: device.enrolment)
    let rules = operations.map { bound.rule(for: $0, at: generation) }
    guard !rules.contains(.denied) else { throw .authentication(.notPermitted) }
    let isProven = operations.allSatisfy { operation in
      device.authorizations.allows(scope(bound, operation), at: now.boot, generation: generation)
    }
    guard !isProven else { return finish(KeychainAnswer()) }
    try prove(bound, operations) { [self] in finish(KeychainAnswer()) }
  }

  // MARK: Application passwords

  /// Whether the key of the application password for this item is still to be made.
  func lacksPasswordKey(_ accessControl: AccessControl, of item: ItemIdentifier) -> Bool {
    accessControl.keyInputs.contains(.applicationPassword) && passwordKeys[item] == nil
  }

  func passwordKey(of item: ItemIdentifier) -> Secret? {
    passwordKeys[item]?.copied()?.take()
  }

  /// Whether the person is asked for an application password that did not come with the request: where
  /// a clock stands still, only a script answers.
  private var asksForPassword: Bool {
    guard request.asking.isInteractive else { return false }
    if case .evaluate = request.operation { return false }
    return script != nil || device.hasScript || !device.clock.isStopped
  }

  /// Wrong application passwords that end a call, where they are typed.
  private static let wrongPasswordsMax = 3

  /// Forgets a typed application password that opened nothing; false where it cannot be typed again.
  func retriesPassword() -> Bool {
    guard typedPassword != nil else { return false }
    wrongPasswords += 1
    guard wrongPasswords < Self.wrongPasswordsMax else { return false }
    typedPassword = nil
    passwordKeys = [:]
    onEvent(.asking(.miss(.applicationPassword, attemptsLeft: nil)))
    return true
  }

  private func askPassword(isNew: Bool, then body: @escaping () -> Void) {
    attempting { () throws(KeychainError) in
      let password = PasswordAsking(isNew: isNew)
      var asking = request.asking
      asking.password = password
      try ask(.applicationPassword, asking) { [self] event in
        guard finished(event) != nil else { return }
        typedPassword = password.password
        body()
      }
    }
  }

  /// Makes the keys of the application password for `items`, one after the other; where there is none,
  /// somebody is asked, unless the call's `interface` forbids that.
  func stretchPassword(
    for items: ArraySlice<ItemIdentifier>,
    isNew: Bool,
    interface: InterfaceMode,
    then body: @escaping () throws(KeychainError) -> Void
  ) {
    guard let item = items.first else { return attempting(body) }
    guard let password = applicationPassword?.copied() else {
      guard interface == .allow, asksForPassword else {
        return fail(.authentication(.authenticationFailed))
      }
      return askPassword(isNew: isNew) { [self] in
        stretchPassword(for: items, isNew: isNew, interface: interface, then: body)
      }
    }
    engine.interpreter.stretch(password, for: item, on: device) { [self] key in
      guard !isFinished else { return }
      guard let key else { return fail(.authentication(.internalError)) }
      passwordKeys[item] = key
      stretchPassword(
        for: items.dropFirst(),
        isNew: isNew,
        interface: interface,
        then: body
      )
    }
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
