import LocalAuthCore

/// One evaluation shown by an agent, with the callers that share it.
final class AgentConversation: Hashable {
  let id: EvaluationID
  weak var session: Session?
  /// The agent that shows the prompt now.
  private(set) var agent: RegisteredAgent?
  private var callers: [EvaluationID: (SessionEvent) -> Void]
  /// The number of requests, including those whose callers have left.
  private var count = 1
  /// A success that depends on an application password which its items have yet to judge.
  private var undecided: EvaluationResult?
  /// The last queue position, for callers that join later.
  private var lastQueued: SessionEvent?
  /// The pid of the last agent, for the audit.
  private var lastAgent: Int32?
  /// Unowned because the engine owns the desk and every session that uses it.
  private unowned let desk: AgentDesk

  init(
    _ id: EvaluationID,
    _ onEvent: @escaping (SessionEvent) -> Void,
    at desk: AgentDesk
  ) {
    self.id = id
    callers = [id: onEvent]
    self.desk = desk
  }

  static func == (one: AgentConversation, other: AgentConversation) -> Bool { one === other }
  func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }

  /// What the audit line says about agents and callers.
  var remark: String? {
    let agent = lastAgent.map { "agent process \($0)" }
    let others = count > 1 ? "asked \(count) times" : nil
    let words = [agent, others].compactMap { $0 }
    return words.isEmpty ? nil : words.joined(separator: "; ")
  }

  /// Passes an event to the agent or the callers it concerns.
  func hear(_ event: SessionEvent) {
    switch event {
    case .queued:
      lastQueued = event
      for caller in callers.values { caller(event) }
    case .prompt, .miss, .retry, .message:
      guard let agent, let session else { return }
      agent.onEvent(.asking(event, session.request, session.caller))
    case .finished(var result):
      let callers = self.callers
      if session?.isUndecided(result.outcome) ?? false {
        undecided = result
      } else {
        dismiss(result)
      }
      if result.outcome == Outcome(.notInteractive) { result.outcome.detail = Self.noAgent }
      for caller in callers.values { caller(.finished(result)) }
    }
  }

  /// Takes the prompt for an application password away, once it is known what came of it.
  func passwordJudged(_ outcome: Outcome) {
    guard var result = undecided else { return }
    undecided = nil
    result.outcome = outcome
    dismiss(result)
  }

  private func dismiss(_ result: EvaluationResult) {
    let agent = self.agent
    self.agent = nil
    agent?.onEvent(.dismissed(result))
    desk.ended(self)
  }

  private static let noAgent = "A person is needed, and there is no agent to ask one."

  // MARK: The agent

  func show(at agent: RegisteredAgent?) {
    guard let session, let agent, session.outcome == nil else { return }
    self.agent = agent
    lastAgent = agent.caller.pid
    session.shown()
  }

  /// Hides the prompt because its agent is gone, so that nothing can answer it.
  func withdraw() {
    agent = nil
    session?.hidden()
  }

  // MARK: Those who ask

  /// Whether only one caller waits for the evaluation.
  var isAlone: Bool { callers.count == 1 }

  func canTake(_ request: EvaluationRequest, of caller: Caller) -> Bool {
    guard let session, session.request.isShareable, session.isUntouched else { return false }
    return session.request.isSame(as: request) && session.caller.owner == caller.owner
      && session.caller.isSameProcess(as: caller)
  }

  func join(as id: EvaluationID, _ onEvent: @escaping (SessionEvent) -> Void) {
    callers[id] = onEvent
    count += 1
    if agent == nil, let lastQueued { onEvent(lastQueued) }
  }

  func leave(_ id: EvaluationID) { callers[id] = nil }
}

extension EvaluationRequest {
  /// Whether an identical request may share the evaluation.
  ///
  /// Never if the proof is for this request alone, or may come from an earlier success.
  var isShareable: Bool {
    asksAgent && purpose == .evaluate && action == nil && assertion == nil && script == nil
      && given.isEmpty && reuse == .zero && grant == nil
  }

  fileprivate func isSame(as other: Self) -> Bool {
    policy == other.policy && reason == other.reason && device == other.device
      && timeout == other.timeout && allowsSimulated == other.allowsSimulated
      && isInteractive == other.isInteractive && fallbackTitle == other.fallbackTitle
      && cancelTitle == other.cancelTitle && passcodeTries == other.passcodeTries
  }
}
