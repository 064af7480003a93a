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
  /// The passes of the call, for several searches one each.
  var passes: [ItemPass] = []
  /// The bytes that they hold.
  var heldBytes: Int { passes.reduce(0) { $0 + $1.byteCount } }
  private var hasTurn = false
  /// What the call does once it is its turn to change items.
  private var whenTurn: (() throws(KeychainError) -> Void)?
  /// The call's place among those that look at many rows, once it needs one.
  private var place: UserTurns.Turn?
  /// The call's turn to hold much, once it needs it.
  private var largeTurn: UserTurns.Turn?
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
    passes = []
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
    whenTurn = body
    // Of a call that ends while it waits nothing stays in the line.
    device.mutations.enter { [weak self, device] in
      guard let self, let body = whenTurn.take() else { return device.mutations.leave() }
      hasTurn = true
      synchronized = []
      attempting(body)
    }
  }

  func leaveTurn() {
    whenTurn = nil
    leavePlace()
    if let turn = largeTurn.take() { engine.largeCalls.leave(turn) }
    guard hasTurn else { return }
    hasTurn = false
    device.mutations.leave()
  }

  // MARK: What is held

  /// Whether the call may look at more rows than are looked at in one go.
  var hasPlace: Bool { place?.isTaken == true || hasLargeTurn }
  /// Whether the call may hold much.
  var hasLargeTurn: Bool { largeTurn?.isTaken == true }
  /// Whether a place would be this call's at once.
  var isPlaceFree: Bool { engine.searches.isFree(for: caller.uid) }

  /// Runs `body` once the call has a place; it should hold nothing while it waits.
  func takingPlace(_ body: @escaping () -> Void) {
    let turn = UserTurns.Turn(of: caller.uid)
    place = turn
    engine.searches.enter(turn, body)
  }

  /// Runs `body` once it is this call's turn to hold much; it should hold nothing while it waits.
  func takingLargeTurn(_ body: @escaping () -> Void) {
    leavePlace()
    let turn = UserTurns.Turn(of: caller.uid)
    largeTurn = turn
    engine.largeCalls.enter(turn, body)
  }

  private func leavePlace() {
    if let turn = place.take() { engine.searches.leave(turn) }
  }

  // MARK: Commits

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
