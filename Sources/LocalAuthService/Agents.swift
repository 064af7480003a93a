public import LocalAuthCore

/// What a registered agent is told.
public enum AgentEvent {
  /// An event of an evaluation that the agent is to show.
  case asking(SessionEvent, EvaluationRequest, Caller)
  /// An evaluation that the agent showed has ended.
  case dismissed(EvaluationResult)
}

/// An agent: a user interface for evaluations that other processes request.
final class RegisteredAgent {
  let id: PromptAgents.AgentID
  let caller: Caller
  let onEvent: (AgentEvent) -> Void

  init(_ id: PromptAgents.AgentID, _ caller: Caller, onEvent: @escaping (AgentEvent) -> Void) {
    self.id = id
    self.caller = caller
    self.onEvent = onEvent
  }
}

/// The registered agents and the evaluations they show; carries out what ``PromptAgents`` decides.
final class AgentDesk {
  private var machine: PromptAgents
  private var agents: [PromptAgents.AgentID: RegisteredAgent] = [:]
  /// Keyed by the identifiers of all requests that share a conversation; its own stays until it
  /// ends, because ``PromptAgents`` knows it by that.
  private var conversations: [EvaluationID: AgentConversation] = [:]

  init(limits: PromptAgents.Limits) { machine = PromptAgents(limits: limits) }

  func register(
    _ caller: Caller,
    onEvent: @escaping (AgentEvent) -> Void
  ) throws(EngineError) -> PromptAgents.AgentID {
    switch machine.register(caller.named, for: caller.owner, in: caller.session) {
    case .registered(let id):
      agents[id] = RegisteredAgent(id, caller, onEvent: onEvent)
      return id
    case .sessionHasOne(let other):
      throw .limitReached(
        "This session has an agent already: process \(other.pid). End that first."
      )
    case .tooMany:
      throw .limitReached("This user has too many agents. End one of them first.")
    }
  }

  func left(_ id: PromptAgents.AgentID) {
    guard agents.removeValue(forKey: id) != nil else { return }
    // Withdraw first, so that no prompt of the departed agent is shown in between.
    for conversation in Set(conversations.values) where conversation.agent?.id == id {
      conversation.withdraw()
    }
    perform(machine.left(id))
  }

  func canAsk(for caller: Caller) -> Bool { machine.canAsk(about: caller.owner, for: caller.named) }

  // MARK: Evaluations

  /// Joins the evaluation that an identical request of the same caller has begun.
  ///
  /// Returns false if there is none to share. The caller that joins is told how it ends.
  func share(
    _ request: EvaluationRequest,
    of caller: Caller,
    as id: EvaluationID,
    _ onEvent: @escaping (SessionEvent) -> Void
  ) -> Bool {
    guard request.isShareable,
      let shared = conversations.values.first(where: { $0.canTake(request, of: caller) })
    else { return false }
    conversations[id] = shared
    shared.join(as: id, onEvent)
    return true
  }

  /// Makes the conversation of a new evaluation.
  func conversation(
    of id: EvaluationID,
    _ onEvent: @escaping (SessionEvent) -> Void
  ) -> AgentConversation {
    let conversation = AgentConversation(id, onEvent, at: self)
    conversations[id] = conversation
    return conversation
  }

  /// Removes one caller of an evaluation; returns the evaluation to end, or nil if other callers
  /// still wait for it.
  func detach(_ id: EvaluationID) -> EvaluationID? {
    guard let conversation = conversations[id] else { return id }
    guard conversation.isAlone else {
      if id != conversation.id { conversations[id] = nil }
      conversation.leave(id)
      return nil
    }
    return conversation.id
  }

  /// Admits an evaluation that needs a person; returns nil if admitted, or else why it was refused.
  func refusal(of session: Session) -> Outcome? {
    let admission = machine.admit(
      session.id,
      about: session.caller.owner,
      from: session.caller.named,
      in: session.caller.session
    )
    switch admission {
    case .admitted: return nil
    case .nobody: return Outcome(.notInteractive)
    case .refused: return Outcome(.busy, detail: "Too many of this program's requests are waiting.")
    }
  }

  func place(_ id: EvaluationID) { perform([machine.place(id)]) }

  func ended(_ conversation: AgentConversation) {
    conversations = conversations.filter { $0.value !== conversation }
    perform(machine.ended(conversation.id))
  }

  private func perform(_ actions: [PromptAgents.Action]) {
    for action in actions {
      switch action {
      case .show(let id, let agent):
        // An earlier action may have ended it already.
        guard machine.shows(id, at: agent) else { continue }
        conversations[id]?.show(at: agents[agent])
      case .wait(let id, let ahead): conversations[id]?.hear(.queued(ahead: ahead))
      case .abandon(let id):
        conversations[id]?.session?.end(
          Outcome(.systemCancel, detail: "The agent that asked for this went away.")
        )
      }
    }
  }
}

extension Caller {
  /// The process as ``PromptAgents`` identifies it.
  fileprivate var named: PromptAgents.Process { PromptAgents.Process(uid: uid, pid: pid) }
}

extension Engine {
  /// Registers an agent for evaluations on the devices of `caller.owner` whose callers have no user
  /// interface.
  ///
  /// It receives events until ``agentLeft(_:)``. `caller` must have its session set and hold its
  /// process, the only one whose answers are accepted.
  public func registerAgent(
    _ caller: Caller,
    onEvent: @escaping (AgentEvent) -> Void
  ) throws(EngineError) -> PromptAgents.AgentID {
    guard caller.process.map({ !$0.hasEnded }) ?? false else {
      throw .notPermitted("The kernel does not say which process you are.")
    }
    return try agentDesk.register(caller, onEvent: onEvent)
  }

  /// Unregisters an agent that went away.
  public func agentLeft(_ id: PromptAgents.AgentID) { agentDesk.left(id) }
}
