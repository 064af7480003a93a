public import LocalAuthSecret
public import LocalAuthUnix
public import LocalAuthWire

/// An evaluation under way, told by the daemon step by step.
///
/// The caller is the user interface: it shows each prompt and answers it, over a second connection
/// of this same process. Letting the stream go cancels the evaluation. One thread at a time.
public struct EvaluationStream: ~Copyable, Sendable {
  /// What the daemon tells.
  public enum Event: Sendable {
    /// So many others are before this one.
    case queued(ahead: Int64)
    /// What to show; it replaces the prompt before it, whose nonce then answers nothing.
    case prompt(AuthenticationMessages.Prompt)
    /// Something to tell while the prompt stays.
    case notice(AuthenticationMessages.Notice)
    /// How it ended, checked by ``DeviceChoice/checked(_:)``; the last event.
    case result(AuthenticationMessages.Result)
  }

  private typealias Reply = AuthenticationMessages.EvaluateReply

  private var connection: DaemonConnection
  private var answers: DaemonConnection?
  private let source: any ConnectionSource
  private let device: DeviceChoice

  /// Begins to evaluate a policy.
  ///
  /// - Parameters:
  ///   - call: the request; its device and whether a simulated success counts are `device`'s to say.
  ///   - device: which device.
  ///   - source: the daemon.
  /// - Throws: ``ClientError``.
  public init(
    evaluating call: AuthenticationMessages.EvaluateCall,
    on device: DeviceChoice,
    at source: any ConnectionSource
  ) throws(ClientError) {
    try self.init(evaluating: call, on: device, at: source, over: try source.connect())
  }

  /// The same over a connection to that daemon which is open already.
  ///
  /// - Throws: ``ClientError``.
  public init(
    evaluating call: AuthenticationMessages.EvaluateCall,
    on device: DeviceChoice,
    at source: any ConnectionSource,
    over connection: consuming DaemonConnection
  ) throws(ClientError) {
    var call = call
    call.device = device.name
    call.allowSimulated = device.allowsSimulated
    try connection.begin(Methods.evaluate, call)
    self.connection = connection
    self.source = source
    self.device = device
  }

  /// Begins to unlock a device with a finger.
  ///
  /// - Parameters:
  ///   - call: the request; its device is `device`'s to say.
  ///   - device: which device.
  ///   - source: the daemon.
  /// - Throws: ``ClientError``.
  public init(
    unlocking call: DeviceMessages.UnlockCall,
    on device: DeviceChoice,
    at source: any ConnectionSource
  ) throws(ClientError) {
    var call = call
    call.device = device.name
    var connection = try source.connect()
    try connection.begin(Methods.unlockDevice, call)
    self.connection = connection
    self.source = source
    self.device = device
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
    // Evaluate and Unlock answer alike.
    let (reply, continues) = try connection.next(Methods.evaluate, until: deadline)
    let event = try Self.event(of: reply)
    switch event {
    case .result(let result):
      guard !continues else { throw .protocolError("a result that is not the end") }
      return .result(try device.checked(result))
    case .queued, .prompt, .notice:
      guard continues else { throw .protocolError("an end without a result") }
      return event
    }
  }

  /// Answers the prompt of this nonce.
  ///
  /// - Throws: ``ClientError``; `PromptNotFound` where another prompt has taken its place.
  public mutating func respond(
    nonce: String,
    passcode: borrowing Secret
  ) throws(ClientError) {
    var call = AuthenticationMessages.RespondCall()
    call.nonce = nonce
    var answers = try answerConnection()
    try passcode.lend { (secret) throws(ClientError) in
      call.passcode = secret
      _ = try answers.call(Methods.respond, call)
    }
    self.answers = consume answers
  }

  /// Cancels, as the user who is asked.
  ///
  /// - Throws: as ``respond(nonce:passcode:)``.
  public mutating func cancel(nonce: String) throws(ClientError) {
    try act("cancel", nonce)
  }

  /// Asks for the fallback, as the user who is asked.
  ///
  /// - Throws: as ``respond(nonce:passcode:)``.
  public mutating func fallback(nonce: String) throws(ClientError) {
    try act("fallback", nonce)
  }

  private mutating func act(_ action: String, _ nonce: String) throws(ClientError) {
    var call = AuthenticationMessages.RespondCall()
    call.nonce = nonce
    call.action = action
    var answers = try answerConnection()
    _ = try answers.call(Methods.respond, call)
    self.answers = consume answers
  }

  /// The second connection, to be put back after a call that succeeded; no daemon is started for it,
  /// because another one knows nothing of the prompt.
  private mutating func answerConnection() throws(ClientError) -> DaemonConnection {
    if let kept = answers.take() { return kept }
    return try source.connectToRunning()
  }

  private static func event(of reply: Reply) throws(ClientError) -> Event {
    var events: [Event] = []
    if let ahead = reply.queued { events.append(.queued(ahead: ahead)) }
    if let prompt = reply.prompt { events.append(.prompt(prompt)) }
    if let notice = reply.notice { events.append(.notice(notice)) }
    if let result = reply.result { events.append(.result(result)) }
    guard let event = events.first, events.count == 1 else {
      throw .protocolError("a reply that tells none or several things")
    }
    return event
  }
}
