import LocalAuthCore

/// A world with the rules that it goes on by: one step of the daemon at a time.
///
/// The names of the steps are those of the daemon's `Session` and `Interpreter`, which they mirror.
public struct Scene: Sendable {
  /// The rules.
  public let setup: Setup
  /// The situation.
  public var world: World

  /// The scene of `world` under `setup`.
  public init(_ setup: Setup, _ world: World) {
    self.setup = setup
    self.world = world
  }

  var now: Moment { World.now }

  // MARK: Evaluations

  mutating func request(_ client: Client, _ request: Request) {
    let slot = world.freeSlot
    var session = Session(slot: slot, client: client, request: request, rules: setup.evaluation)
    session.phase = .opening
    world.sessions.append(session)
    whenStorageWorks(.begin(slot))
  }

  mutating func begin(_ slot: UInt8) {
    guard let index = world.index(of: slot) else { return }
    let conditions = conditions(index)
    let action = world.sessions[index].machine.begin(conditions: conditions)
    checkReuse(index)
    perform(action, slot)
  }

  mutating func end(_ slot: UInt8, _ outcome: Outcome) {
    guard let index = world.index(of: slot) else { return }
    let action = world.sessions[index].machine.end(outcome)
    perform(action, slot)
  }

  func conditions(_ index: Int) -> Conditions {
    let session = world.sessions[index]
    let facts = DeviceFacts(
      world.memory,
      sensor: .ready(.strong),
      isDistrusted: world.isDistrusted
    )
    var conditions = facts.conditions(for: setup.policy, under: setup.attempts, at: now)
    if session.request.takesUnlock { conditions.reusableUnlock = reusableUnlock }
    conditions.granted = answeringGrant(session)?.proven
    return conditions
  }

  mutating func perform(_ action: EvaluationMachine.Action, _ slot: UInt8) {
    switch action {
    case .enqueue: enqueue(slot)
    case .redeem: redeem(slot)
    case .present: present(slot)
    case .finish: finish(slot)
    case .attempt, .ignore: break
    }
  }

  private mutating func enqueue(_ slot: UInt8) {
    guard let index = world.index(of: slot) else { return }
    switch world.arbiter.request(world.sessions[index].id, uid: 1000) {
    case .armed: tookDevice(slot)
    case .waiting: break
    case .refused: end(slot, Outcome(.busy))
    }
  }

  mutating func tookDevice(_ slot: UInt8) {
    guard let index = world.index(of: slot) else { return }
    let conditions = conditions(index)
    world.sessions[index].isShown = true
    perform(world.sessions[index].machine.armed(conditions: conditions), slot)
  }

  /// Shows the prompt; a conversation of PAM's begins with it.
  private mutating func present(_ slot: UInt8) {
    guard let index = world.index(of: slot), world.sessions[index].passcode == nil,
      case .pam = world.memory.passcode
    else { return }
    let conditions = conditions(index)
    guard world.sessions[index].machine.live(conditions).contains(.passcode) else { return }
    offer(.passcode, .conversation(isRight: nil), slot)
  }

  /// Something to judge; nothing happens when the evaluation does not ask for it.
  mutating func offer(_ factor: Factor, _ evidence: Run.Evidence, _ slot: UInt8) {
    guard let index = world.index(of: slot) else { return }
    let conditions = conditions(index)
    let action = world.sessions[index].machine.offered(factor, conditions: conditions)
    guard case .attempt = action else { return }
    var run = Run(at: factor, evidence)
    let first = run.machine.begin()
    world.sessions[index][factor] = run
    perform(first, slot, factor)
  }

  mutating func fallback(_ slot: UInt8) {
    guard let index = world.index(of: slot) else { return }
    let conditions = conditions(index)
    perform(world.sessions[index].machine.fallback(conditions: conditions), slot)
  }

  mutating func fault(_ slot: UInt8) {
    guard let index = world.index(of: slot) else { return }
    let conditions = conditions(index)
    let outcome = Outcome.sensor(.general)
    perform(
      world.sessions[index].machine.faulted(.biometry, outcome, conditions: conditions),
      slot
    )
  }

  /// Something about the device changed.
  mutating func deviceChanged() {
    guard let session = world.armed, let index = world.index(of: session.slot) else { return }
    let conditions = conditions(index)
    perform(world.sessions[index].machine.changed(conditions: conditions), session.slot)
  }

  // MARK: Endings

  private mutating func finish(_ slot: UInt8) {
    guard let index = world.index(of: slot), let outcome = world.sessions[index].machine.outcome
    else { return }
    if outcome == .success { noteSuccess(index) }
    if let run = world.sessions[index].passcode, outcome != .success || !run.wasSubmitted {
      world.sessions[index].passcode?.isAborted = true
    }
    if outcome == .success, remember(index) {
      world.sessions[index].phase = .closing(outcome)
      return commit(.remember(slot))
    }
    guard outcome == .success, world.sessions[index].auditedOutcome != outcome else {
      world.sessions[index].phase = .closing(outcome)
      ended(slot)
      return answer(slot, outcome)
    }
    world.sessions[index].phase = .closing(outcome)
    ended(slot)
    world.writes.append(World.Write(purpose: .close(slot), record: nil))
  }

  /// The prompt goes to whoever waited longest.
  mutating func ended(_ slot: UInt8) {
    switch world.arbiter.ended(EvaluationID(high: 0, low: UInt64(slot))) {
    case .armed(let next): tookDevice(UInt8(truncatingIfNeeded: next.low))
    case .unchanged, .idle: break
    }
  }

  mutating func answer(_ slot: UInt8, _ outcome: Outcome) {
    guard let index = world.index(of: slot) else { return }
    let session = world.sessions[index]
    world.history.check(.oneAnswer, !session.isAnswered)
    if outcome == .success { checkSuccess(session) }
    world.sessions[index].isAnswered = true
    world.answers.append(
      World.Answer(
        client: session.client,
        slot: slot,
        outcome: outcome,
        proven: outcome == .success ? session.machine.proven : Proven()
      )
    )
    sweep()
  }

  /// Forgets evaluations that are over and of which nothing is under way.
  mutating func sweep() { world.sessions.removeAll(where: \.isOver) }
}

extension Session {
  /// The attempt at `factor`.
  subscript(factor: Factor) -> Run? {
    get { factor == .passcode ? passcode : finger }
    set {
      if factor == .passcode { passcode = newValue } else { finger = newValue }
    }
  }
}
