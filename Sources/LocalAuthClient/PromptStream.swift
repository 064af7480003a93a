public import LocalAuthUnix
public import LocalAuthWire

/// What prompts lead to: how a stream of one kind ends.
public protocol PromptEnding: Sendable {
  /// What the daemon says, step by step.
  associatedtype Reply: PromptingReply
  /// What its last reply comes to.
  associatedtype Value: Sendable

  /// What a last reply comes to; nil for one that is not the last.
  ///
  /// - Throws: `WireError` for one that contradicts itself.
  static func take(_ reply: Reply, _ parameters: ReplyParameters) throws(WireError) -> Value?
  /// The same as it may be believed.
  ///
  /// - Throws: ``ClientError/protocolError(_:)``.
  func checked(_ value: Value) throws(ClientError) -> Value
}

/// Something under way for which the daemon may ask a person, told step by step.
///
/// The caller is the user interface: it shows each prompt and answers it, over a second connection
/// of this same process. Letting the stream go cancels what is under way. One thread at a time.
public struct PromptStream<Ending: PromptEnding>: ~Copyable, Sendable {
  /// What the daemon tells.
  public enum Event: Sendable {
    /// Prompts of others come from now on.
    case registered
    /// So many others are before this one.
    case queued(ahead: Int64)
    /// What to show; it replaces the prompt before it, whose nonce then answers nothing.
    case prompt(AuthenticationMessages.Prompt)
    /// Something to tell while the prompt stays.
    case notice(AuthenticationMessages.Notice)
    /// What was shown for others is over.
    case dismissed(AgentMessages.Dismissal)
    /// How it ended, as it may be believed; the last event.
    case result(Ending.Value)
  }

  var connection: DaemonConnection
  /// Answers what is asked, over a second connection.
  public var answers: PromptAnswers
  let ending: Ending

  /// A stream over an open connection to the daemon at `source`, on which nothing is under way yet.
  init(
    endingAs ending: Ending,
    at source: any ConnectionSource,
    over connection: consuming DaemonConnection
  ) {
    self.connection = connection
    answers = PromptAnswers(to: source)
    self.ending = ending
  }

  /// Waits until an event or one of `others` has something to read, or the time has passed.
  ///
  /// - Parameters:
  ///   - others: descriptors of the caller's, such as the terminal or a signal's.
  ///   - deadline: when to stop waiting; nil waits for as long as the daemon is there.
  /// - Returns: which of them have; `isSocketReady` means that ``next(until:)`` does not block long.
  /// - Throws: ``ClientError/unreachable(_:)``.
  public mutating func wait(
    alsoFor others: [Int32] = [],
    until deadline: Deadline? = nil
  ) throws(ClientError) -> ClientSocket.Readiness {
    try connection.wait(alsoFor: others, until: deadline)
  }

  /// Waits for the next event.
  ///
  /// - Parameter deadline: when to give up; nil waits for as long as the daemon is there.
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
