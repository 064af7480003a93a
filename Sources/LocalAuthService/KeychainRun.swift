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
  let device: LiveDevice
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
  var passwords: ApplicationPasswords

  init(
    id: EvaluationID,
    request: KeychainRequest,
    caller: Caller,
    device: LiveDevice,
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
    passwords = ApplicationPasswords(given: request.applicationPassword)
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
    guard !device.machine.isRemoved else { return fail(.authentication(.systemCancel)) }
    isCommitting = true
    engine.runner.store([], changes) { [self] result in
      isCommitting = false
      switch result {
      case .success: finish(answer)
      case .failure(.duplicate):
        if let recover { attempting(recover) } else { fail(.duplicateItem) }
      case .failure(let error): fail(.storage(error))
      }
    }
  }
}
