public import LocalAuthUnix
public import LocalAuthWire

/// How a stream of one kind ends.
public protocol PromptEnding: Sendable {
  /// The reply that the daemon sends step by step.
  associatedtype Reply: PromptingReply
  /// The value of its last reply.
  associatedtype Value: Sendable

  /// Returns the value of a last reply; nil for one that is not the last.
  ///
  /// - Throws: `WireError` for a reply that contradicts itself.
  static func take(_ reply: Reply, _ parameters: ReplyParameters) throws(WireError) -> Value?
  /// Checks the value and returns what may be believed of it.
  ///
  /// - Throws: ``ClientError/protocolError(_:)``.
  func checked(_ value: Value) throws(ClientError) -> Value
}

/// A running request for which the daemon may ask a person, reported step by step.
///
/// The caller is the user interface: it shows each prompt and answers it, over a second connection
/// of the same process. Releasing the stream cancels the request. Use it from one thread at a time.
public struct PromptStream<Ending: PromptEnding>: ~Copyable, Sendable {
  /// What the daemon reports.
  public enum Event: Sendable {
    /// The agent is registered: prompts of other programs follow.
    case registered
    /// The number of requests that are ahead of this one.
    case queued(ahead: Int64)
    /// A prompt to show; it replaces the previous one, whose nonce becomes invalid.
    case prompt(AuthenticationMessages.Prompt)
    /// A notice for the person while the prompt stays.
    case notice(AuthenticationMessages.Notice)
    /// A prompt that was shown for another program is over.
    case dismissed(AgentMessages.Dismissal)
    /// The checked result; the last event.
    case result(Ending.Value)
  }

  var connection: DaemonConnection
  /// Answers the prompts, over a second connection.
  public var answers: PromptAnswers
  let ending: Ending

  /// Creates a stream over an open connection to the daemon at `source`, on which no request is
  /// running.
  init(
    endingAs ending: Ending,
    at source: any ConnectionSource,
    over connection: consuming DaemonConnection
  ) {
    self.connection = connection
    answers = PromptAnswers(to: source)
    self.ending = ending
  }

  /// Waits until an event or one of `others` is readable, or `deadline` has passed.
  ///
  /// - Parameters:
  ///   - others: descriptors of the caller, such as the terminal or a signal descriptor.
  ///   - deadline: when to stop waiting; nil waits as long as the daemon is there.
  /// - Returns: which of them are readable; `isSocketReady` means that ``next(until:)`` does not
  ///   block for long.
  /// - Throws: ``ClientError/unreachable(_:)``.
  public mutating func wait(
    alsoFor others: [Int32] = [],
    until deadline: Deadline? = nil
  ) throws(ClientError) -> ClientSocket.Readiness {
    try connection.wait(alsoFor: others, until: deadline)
  }

  /// Waits for the next event.
  ///
  /// - Parameter deadline: when to give up; nil waits as long as the daemon is there.
  /// - Returns: the event; nothing follows a result.
  /// - Throws: ``ClientError``.
  public mutating func next(until deadline: Deadline? = nil) throws(ClientError) -> Event {
    let (events, continues) = try connection.next(until: deadline) {
      (reply: Ending.Reply, parameters) throws(WireError) in
      try Self.events(of: reply, parameters)
    }
    guard let event = events.first, events.count == 1 else {
      throw .protocolError("a reply that tells none or several things")
    }
    switch event {
    case .result(let value):
      guard !continues else { throw .protocolError("a result that is not the end") }
      return .result(try ending.checked(value))
    case .registered, .queued, .prompt, .notice, .dismissed:
      guard continues else { throw .protocolError("an end without a result") }
      return event
    }
  }

  private static func events(
    of reply: Ending.Reply,
    _ parameters: ReplyParameters
  ) throws(WireError) -> [Event] {
    var events: [Event] = []
    if reply.registered == true { events.append(.registered) }
    if let ahead = reply.queued { events.append(.queued(ahead: ahead)) }
    if let prompt = reply.prompt { events.append(.prompt(prompt)) }
    if let notice = reply.notice { events.append(.notice(notice)) }
    if let dismissal = reply.dismissed { events.append(.dismissed(dismissal)) }
    if let value = try Ending.take(reply, parameters) { events.append(.result(value)) }
    return events
  }
}
