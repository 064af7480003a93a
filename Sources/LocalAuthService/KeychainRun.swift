import LocalAuthCore
import LocalAuthKeychain
import LocalAuthSecret

/// One keychain call in progress.
///
/// Scans the rows the call is about with an ``ItemWalk``, obtains proof of what they require, and
/// rescans. A call that changes items holds its device's turn from before the scan until the change
/// is durable, but not while a person is prompted.
final class KeychainRun {
  let id: EvaluationID
  let request: KeychainRequest
  let caller: Caller
  let device: LiveDevice
  /// Unowned because the engine owns all runs and is their only caller.
  unowned let engine: Engine
  let onEvent: (KeychainEvent) -> Void
  var script: ScriptPlayer?
  var session: Session?
  var evaluation: EvaluationResult?
  /// The index of the new item or of the search being looked at.
  var itemInQuestion: Int?
  private var hasTurn = false
  private var hasLargeTurn = false
  private var isCommitting = false
  private(set) var isFinished = false
  var passwords: ApplicationPasswords
  /// What the call does to items that are meant for the person's other devices.
  var synchronized: [SyncEdit] = []

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
      case .copyEach(let dictionaries): try copyEach(dictionaries)
      case .update(let dictionary, let changes, let data): try update(dictionary, changes, data)
      case .delete(let dictionary, let onlyCounts):
        try delete(dictionary, onlyCounts: onlyCounts)
      case .generateKey(let dictionary): try generateKey(dictionary)
      case .useKey(let dictionary, let use): try useKey(dictionary, use)
      case .evaluate(let control, let operations): try evaluate(control, operations)
      }
    }
  }

  /// Cancels the call, unless its change is being written.
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
    let lines = settlePasswords(answer.error?.outcome ?? .success)
    device.authorizations.callEnded(id.low, of: request.context)
    engine.keychainRuns[id] = nil
    answer.evaluation = evaluation
    guard !lines.isEmpty else { return onEvent(.finished(answer)) }
    let answer = answer
    engine.runner.store(lines) { [self] result in
      guard case .failure(let error) = result, answer.error == nil else {
        return onEvent(.finished(answer))
      }
      onEvent(.finished(KeychainAnswer(error: .storage(error))))
    }
  }

  func fail(_ error: KeychainError) {
    finish(KeychainAnswer(error: error, failedItem: itemInQuestion))
  }

  /// Runs `body`; an error it throws ends the call.
  func attempting(_ body: () throws(KeychainError) -> Void) {
    do throws(KeychainError) {
      try body()
    } catch {
      fail(error)
    }
  }

  // MARK: Changes

  /// Runs `body` once it is this call's turn to change items.
  func takingTurn(_ body: @escaping () throws(KeychainError) -> Void) {
    device.mutations.enter { [self] in
      hasTurn = true
      synchronized = []
      guard !isFinished else { return leaveTurn() }
      attempting(body)
    }
  }

  func leaveTurn() {
    if hasLargeTurn {
      hasLargeTurn = false
      engine.largeChanges.leave()
    }
    guard hasTurn else { return }
    hasTurn = false
    device.mutations.leave()
  }

  /// The most items that a call changes without the turn for large changes: some tens of milliseconds.
  private static let smallChange = 256

  /// Runs `body` once everything that it changes was taken, and it is this call's turn if that is much.
  func change(_ pass: ItemPass, then body: @escaping () throws(KeychainError) -> Void) {
    go(through: pass) { [self] () throws(KeychainError) in
      guard pass.count > Self.smallChange, !hasLargeTurn else { return try body() }
      engine.largeChanges.enter { [self] in
        hasLargeTurn = true
        guard !isFinished else { return leaveTurn() }
        // The wait may have been long.
        pass.restart(on: device)
        change(pass, then: body)
      }
    }
  }

  /// Makes `changes` durable; the call must hold the turn.
  ///
  /// `recover` runs if the store already has an item with the same key or identifier. The call
  /// still holds the turn then, and nothing was changed.
  func commit(
    _ changes: [ItemChange],
    then answer: KeychainAnswer,
    orIfDuplicate recover: (() throws(KeychainError) -> Void)? = nil
  ) {
    guard !device.machine.isRemoved else { return fail(.authentication(.systemCancel)) }
    isCommitting = true
    let following = following(changes)
    engine.runner.store(following.changes, changes, following.kind) { [self] result in
      isCommitting = false
      if case .success = result { following.isDurable() }
      switch result {
      case .success: finish(answer)
      case .failure(.duplicate):
        if let recover { attempting(recover) } else { fail(.duplicateItem) }
      case .failure(let error): fail(.storage(error))
      }
    }
  }

  /// What the commit writes besides items, because they are meant for the person's other devices.
  private func following(
    _ changes: [ItemChange]
  ) -> (changes: [StateChange], kind: CommitKind, isDurable: () -> Void) {
    let removed = changes.compactMap { change -> ItemIdentifier? in
      guard case .remove(_, let identifier) = change else { return nil }
      return identifier
    }
    guard let synchronizer = device.synchronizer,
      let change = synchronizer.following(synchronized, removing: removed),
      let written = synchronizer.written(change)
    else { return ([], .ordinary, {}) }
    return (
      written.changes, written.kind,
      {
        synchronizer.adopt(change)
        synchronizer.changed()
      }
    )
  }
}
