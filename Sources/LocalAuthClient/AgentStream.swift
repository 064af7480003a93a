public import LocalAuthUnix
public import LocalAuthWire

/// The prompts of programs that have no user interface, for the agent that shows them.
///
/// The agent answers over a second connection of this same process. Letting the stream go ends the
/// registration. One thread at a time.
public struct AgentStream: ~Copyable, Sendable {
  /// What the daemon tells.
  public enum Event: Sendable {
    /// Prompts come from now on.
    case registered
    /// What to show; it replaces the prompt before it, whose nonce then answers nothing.
    case prompt(AuthenticationMessages.Prompt)
    /// Something to tell while the prompt stays.
    case notice(AuthenticationMessages.Notice)
    /// An evaluation is over.
    case dismissed(AgentMessages.Dismissal)
  }

  private var connection: DaemonConnection
  /// Answers what is asked, over a second connection.
  public var answers: PromptAnswers

  /// Registers this process as an agent with the daemon at `source`, which is started where it does not
  /// run; the first event says whether it was taken.
  ///
  /// - Throws: ``ClientError``.
  public init(at source: any ConnectionSource) throws(ClientError) {
    var connection = try source.connect()
    try connection.begin(Methods.registerAgent, Methods.Empty())
    self.connection = connection
    answers = PromptAnswers(to: source)
  }

  /// Waits until an event or one of `others` has something to read, or the time has passed.
  ///
  /// - Throws: ``ClientError/unreachable(_:)``.
  public mutating func wait(
    alsoFor others: [Int32] = [],
    until deadline: Deadline? = nil
  ) throws(ClientError) -> ClientSocket.Readiness {
    try connection.wait(alsoFor: others, until: deadline)
  }

  /// Waits for the next event.
  ///
  /// - Throws: ``ClientError``; `LimitReached` where the session has an agent already.
  public mutating func next(until deadline: Deadline? = nil) throws(ClientError) -> Event {
    let (reply, continues) = try connection.next(Methods.registerAgent, until: deadline)
    var events: [Event] = []
    if reply.registered == true { events.append(.registered) }
    if let prompt = reply.prompt { events.append(.prompt(prompt)) }
    if let notice = reply.notice { events.append(.notice(notice)) }
    if let dismissal = reply.dismissed { events.append(.dismissed(dismissal)) }
    guard let event = events.first, events.count == 1, continues else {
      throw .protocolError("a reply to an agent that tells none or several things")
    }
    return event
  }
}
