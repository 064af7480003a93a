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
  let onEvent: (KeychainEvent) -> Void
  var script: ScriptPlayer?
  var session: Session?
  var evaluation: EvaluationResult?
  /// Which of the new items is being judged.
  var itemInQuestion: Int?
  private var hasTurn = false
  private var isCommitting = false
  private(set) var isFinished = false
  /// The keys that the application password makes for items, so far.
  private var passwordKeys: [ItemIdentifier: SecretBox] = [:]
  /// Guesses at application passwords that were charged: which change of the count each was, and what became of it.
  private var passwordGuesses: [ItemIdentifier: (change: UInt64, verdict: Verdict)] = [:]

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
    settlePasswords()
    device.authorizations.callEnded(id.low, of: request.context)
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

  // MARK: Application passwords

  /// Whether the key of the application password for this item is still to be made.
  func lacksPasswordKey(_ accessControl: AccessControl, of item: ItemIdentifier) -> Bool {
    accessControl.keyInputs.contains(.applicationPassword) && passwordKeys[item] == nil
  }

  func passwordKey(of item: ItemIdentifier) -> Secret? {
    passwordKeys[item]?.copied()?.take()
  }

  /// Charges a guess at each of `items`, and makes the key of the application password for it, one after the other.
  func stretchPassword(
    for items: ArraySlice<ItemIdentifier>,
    then body: @escaping () throws(KeychainError) -> Void
  ) {
    guard let item = items.first else { return attempting(body) }
    engine.interpreter.charge(.item(item.number), on: device, and: nil, []) { [self] charge in
      guard !isFinished else { return }
      switch charge {
      case .failure(let refusal): fail(.authentication(refusal.outcome.code))
      case .success(let change):
        passwordGuesses[item] = (change, .unjudged(Outcome(.appCancel)))
        stretchPassword(of: item) { [self] in stretchPassword(for: items.dropFirst(), then: body) }
      }
    }
  }

  private func stretchPassword(of item: ItemIdentifier, then body: @escaping () -> Void) {
    guard let password = request.applicationPassword?.copied() else {
      return fail(.authentication(.authenticationFailed))
    }
    engine.interpreter.stretch(password, for: item, on: device) { [self] key in
      guard !isFinished else { return }
      guard let key else { return fail(.authentication(.internalError)) }
      passwordKeys[item] = key
      body()
    }
  }

  /// What opening an item said about the application password; the first word counts.
  func judged(_ item: ItemIdentifier, opens: Bool) {
    guard case (let change, .unjudged)? = passwordGuesses[item] else { return }
    passwordGuesses[item] = (change, opens ? .proven(finger: nil, generation: nil) : .miss)
  }

  private func settlePasswords() {
    engine.interpreter.settle(
      passwordGuesses.map { (.item($0.key.number), $0.value.verdict, $0.value.change) },
      on: device
    )
  }
}
