/// Assigns prompts to agents: each agent shows one prompt at a time, and the others wait for it.
///
/// | event    | no agent can ask      | the agent shows nothing | the agent shows another |
/// |----------|-----------------------|-------------------------|-------------------------|
/// | admit    | `.nobody`             | admitted, or `.refused` | admitted, or `.refused` |
/// | place    | `.abandon`            | `.show`                 | `.wait`                 |
/// | ended    | nothing               | nothing                 | `.show` the next        |
/// | left     | `.abandon` what it had, or, with another agent, `.show` and `.wait` there          |
///
/// A request is placed only once it has its device, so a request that has an agent's prompt, or
/// waits for one, waits for nothing else, and no two can wait for each other.
public struct PromptAgents: Sendable {
  /// The limits on agents and requests.
  public struct Limits: Hashable, Sendable {
    /// Agents of one user.
    public var agentsPerUser: Int
    /// Requests about one user's devices that are shown or wait.
    public var requestsPerUser: Int
    /// The same for one process.
    public var requestsPerCaller: Int

    /// The limits; the defaults suit one person at a machine.
    public init(agentsPerUser: Int = 8, requestsPerUser: Int = 64, requestsPerCaller: Int = 8) {
      self.agentsPerUser = agentsPerUser
      self.requestsPerUser = requestsPerUser
      self.requestsPerCaller = requestsPerCaller
    }
  }

  /// A process and its user.
  public struct Process: Hashable, Sendable {
    /// The user.
    public var uid: UInt32
    /// Its number, unique while it lives.
    public var pid: Int32

    /// The process with this number.
    public init(uid: UInt32, pid: Int32) {
      self.uid = uid
      self.pid = pid
    }
  }

  /// Names a registered agent; never reused.
  public struct AgentID: Hashable, Sendable {
    fileprivate let number: UInt64
  }

  /// The answer to a registration.
  public enum Registration: Hashable, Sendable {
    case registered(AgentID)
    /// The session has an agent already: this process.
    case sessionHasOne(Process)
    /// The user has too many agents.
    case tooMany
  }

  /// The answer to a request.
  public enum Admission: Hashable, Sendable {
    case admitted
    /// No agent can show it.
    case nobody
    /// Too many are shown or wait already.
    case refused
  }

  /// What to do next.
  public enum Action: Hashable, Sendable {
    /// Show the prompt of this evaluation at this agent.
    case show(EvaluationID, at: AgentID)
    /// Let it wait behind this many others.
    case wait(EvaluationID, ahead: Int)
    /// End it, because no agent is left that could show it.
    case abandon(EvaluationID)
  }

  private struct Agent: Sendable {
    var id: AgentID
    var owner: UInt32
    var process: Process
    var session: LoginSession?
    var shown: EvaluationID?
    var queue: [EvaluationID] = []
  }

  private struct Request: Sendable {
    var id: EvaluationID
    var owner: UInt32
    var caller: Process
    var session: LoginSession?
  }

  /// In the order of their registration.
  private var agents: [Agent] = []
  /// In the order of their admission.
  private var requests: [Request] = []
  private var lastAgent: UInt64 = 0
  private let limits: Limits

  /// Starts with no agents.
  public init(limits: Limits = Limits()) { self.limits = limits }

  /// Whether an agent could ask about the devices of `owner` on behalf of `caller`.
  public func canAsk(about owner: UInt32, for caller: Process) -> Bool {
    agents.contains { $0.owner == owner && $0.process != caller }
  }

  /// Whether `agent` shows the prompt of `id`.
  public func shows(_ id: EvaluationID, at agent: AgentID) -> Bool {
    agents.contains { $0.id == agent && $0.shown == id }
  }

  // MARK: Events

  /// An agent registers to show the prompts of the devices of `owner`.
  ///
  /// Agents whose session is unknown count as being in the same session.
  public mutating func register(
    _ process: Process,
    for owner: UInt32,
    in session: LoginSession?
  ) -> Registration {
    let others = agents.filter { $0.owner == owner }
    if let first = others.first(where: { $0.session == session }) {
      return .sessionHasOne(first.process)
    }
    guard others.count < limits.agentsPerUser else { return .tooMany }
    lastAgent += 1
    let id = AgentID(number: lastAgent)
    agents.append(Agent(id: id, owner: owner, process: process, session: session))
    return .registered(id)
  }

  /// A request of `caller` about a device of `owner` will need a person.
  public mutating func admit(
    _ id: EvaluationID,
    about owner: UInt32,
    from caller: Process,
    in session: LoginSession?
  ) -> Admission {
    guard canAsk(about: owner, for: caller) else { return .nobody }
    let ofOwner = requests.filter { $0.owner == owner }
    guard ofOwner.count < limits.requestsPerUser,
      ofOwner.count(where: { $0.caller == caller }) < limits.requestsPerCaller
    else { return .refused }
    requests.append(Request(id: id, owner: owner, caller: caller, session: session))
    return .admitted
  }

  /// An admitted request has its device and wants its prompt shown.
  public mutating func place(_ id: EvaluationID) -> Action {
    guard let request = requests.first(where: { $0.id == id }) else { return .abandon(id) }
    return place(request)
  }

  /// The request is over, whether it was shown, queued or not placed yet.
  public mutating func ended(_ id: EvaluationID) -> [Action] {
    requests.removeAll { $0.id == id }
    for index in agents.indices {
      agents[index].queue.removeAll { $0 == id }
      guard agents[index].shown == id else { continue }
      agents[index].shown = agents[index].queue.isEmpty ? nil : agents[index].queue.removeFirst()
      return agents[index].shown.map { [.show($0, at: agents[index].id)] } ?? []
    }
    return []
  }

  /// An agent left; its requests go to other agents, in its order.
  public mutating func left(_ id: AgentID) -> [Action] {
    guard let index = agents.firstIndex(where: { $0.id == id }) else { return [] }
    let gone = agents.remove(at: index)
    let placed = (gone.shown.map { [$0] } ?? []) + gone.queue
    var actions = placed.map { place($0) }
    // Requests that still wait for their device would wait in vain.
    for request in requests where request.owner == gone.owner && !placed.contains(request.id) {
      if agent(for: request) == nil { actions.append(.abandon(request.id)) }
    }
    for case .abandon(let id) in actions { requests.removeAll { $0.id == id } }
    return actions
  }

  // MARK: Decisions

  private mutating func place(_ request: Request) -> Action {
    guard let index = agent(for: request) else { return .abandon(request.id) }
    guard agents[index].shown != nil else {
      agents[index].shown = request.id
      return .show(request.id, at: agents[index].id)
    }
    agents[index].queue.append(request.id)
    return .wait(request.id, ahead: agents[index].queue.count)
  }

  /// The agent of the caller's own session, else the one registered last; never the caller itself.
  private func agent(for request: Request) -> Int? {
    let fitting = agents.indices.filter {
      agents[$0].owner == request.owner && agents[$0].process != request.caller
    }
    guard let session = request.session else { return fitting.last }
    return fitting.first { agents[$0].session == session } ?? fitting.last
  }
}
