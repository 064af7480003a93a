public import LocalAuthClient
public import LocalAuthCore
public import LocalAuthSecret
public import LocalAuthTerminal
import LocalAuthUnix
import LocalAuthWire

/// Why a dialog failed.
public enum DialogError: Error {
  /// The daemon could not be reached, or gave no valid answer.
  case client(ClientError)
  /// The terminal could not be used.
  case terminal(TerminalError)
}

/// Runs a dialog to its end: passes it events from the daemon and the person, and performs its
/// actions.
///
/// Belongs to one thread. Dropping it cancels an operation that is still under way.
public struct DialogRun<Ending: PromptEnding>: ~Copyable {
  /// How a dialog ended.
  public enum End {
    /// The checked result.
    case result(Ending.Value)
    /// Nothing is left to ask: the person declined while there was no prompt, or the only prompt
    /// that an agent was to show is over.
    case closed
    /// A signal arrived; the screen is restored, and the caller has to ``reraise(_:)`` the signal.
    case interrupted(TerminalSignal)
    /// The program abandoned the dialog.
    case abandoned
  }

  /// How long the daemon may stay silent after the time limit of the operation.
  private static var grace: Duration { .seconds(20) }

  private var dialog: Dialog<SecretBox>
  private var stream: PromptStream<Ending>
  private var screen: DialogScreen
  private let inbox: (any DialogInbox)?
  /// Called with every event but the result, before it is shown.
  private let tell: (PromptStream<Ending>.Event) -> Void
  private var deadline: Deadline?

  /// Creates a dialog about `stream` on `screen`; other threads see its events and answer by
  /// `inbox`.
  ///
  /// `timeout` limits the operation; with nil, it lasts as long as the connection.
  public init(
    _ dialog: Dialog<SecretBox>,
    about stream: consuming PromptStream<Ending>,
    on screen: consuming DialogScreen,
    inbox: (any DialogInbox)? = nil,
    timeout: Duration? = nil,
    tell: @escaping (PromptStream<Ending>.Event) -> Void = { _ in }
  ) {
    self.dialog = dialog
    self.stream = stream
    self.screen = screen
    self.inbox = inbox
    self.tell = tell
    deadline = timeout.map { .after($0 + Self.grace) }
  }

  /// Runs the dialog until it ends, and gives the terminal back, also where it fails.
  public mutating func run() throws(DialogError) -> End {
    defer { screen.end() }
    try draw()
    while true {
      if let end = try step() { return end }
    }
  }

  /// The outcome that replaces a cancellation made because nobody could answer; nil if there is
  /// none.
  public var exhaustion: OutcomeCode? { dialog.exhaustion }

  /// Begins another operation on the same stream, with its own time limit; then call ``run()``
  /// again.
  public mutating func goOn(
    timeout: Duration,
    _ begin: (inout PromptStream<Ending>) throws(ClientError) -> Void
  ) throws(DialogError) {
    dialog.goOn()
    deadline = .after(timeout + Self.grace)
    do throws(ClientError) { try begin(&stream) } catch { throw .client(error) }
  }

  /// Raises a signal again with its old effect, which by default ends the process.
  public mutating func reraise(_ signal: TerminalSignal) { screen.reraise(signal) }

  /// Returns the stream, for other operations after the result.
  public consuming func finish() -> PromptStream<Ending> { stream }

  // MARK: What happens

  private mutating func step() throws(DialogError) -> End? {
    let ready = try waitForSomething()
    if screen.hasSignal(ready.descriptors) { return try take(try screen.signalIsPending()) }
    if let inbox, ready.descriptors.contains(inbox.descriptor) { return try empty(inbox) }
    if ready.isSocketReady { return try take(try next()) }
    if ready.hasTimedOut { try timePassed() }
    return try take(try screen.attend(to: ready.descriptors))
  }

  private mutating func waitForSomething() throws(DialogError) -> ClientSocket.Readiness {
    let others = screen.descriptors + (inbox.map { [$0.descriptor] } ?? [])
    let wake = wakeUp()
    do throws(ClientError) {
      return try stream.wait(alsoFor: others, until: wake)
    } catch {
      throw .client(error)
    }
  }

  /// When to wake up if no event arrives.
  private mutating func wakeUp() -> Deadline? {
    // An escape sequence gets its full time-out, whatever the countdown does.
    if let keyTimeout = screen.keyTimeout { return keyTimeout }
    // There is no countdown to update unless the screen is open.
    let change = screen.descriptors.isEmpty ? nil : dialog.changes(after: SystemClock.bootNow())
    return [screen.opensAt, change.map { .after($0) }, deadline].compactMap { $0 }.min()
  }

  private mutating func timePassed() throws(DialogError) {
    guard let deadline, deadline.hasPassed else { return try draw() }
    throw .client(.unreachable("the daemon did not end the evaluation in time: look at its log"))
  }

  private mutating func next() throws(DialogError) -> PromptStream<Ending>.Event {
    do throws(ClientError) {
      return try stream.next(until: deadline)
    } catch {
      throw .client(error)
    }
  }

  private mutating func take(_ event: PromptStream<Ending>.Event) throws(DialogError) -> End? {
    if case .result(let value) = event { return .result(value) }
    tell(event)
    switch event {
    case .registered, .result: return nil
    case .queued(let ahead): return try perform(dialog.queued(ahead: ahead))
    case .prompt(let prompt):
      return try perform(dialog.prompted(prompt, at: SystemClock.bootNow()))
    case .notice(let notice): return try perform(dialog.noticed(notice))
    case .dismissed(let dismissal): return try perform(dialog.dismissed(dismissal))
    }
  }

  private mutating func take(_ event: TerminalEvent) throws(DialogError) -> End? {
    switch event {
    case .nothing: return nil
    case .answered:
      guard let answer = screen.takeAnswer() else { return nil }
      return try take(.answer(SecretBox(answer), to: nil))
    case .fallback: return try take(.fallBack(of: nil))
    case .cancelled: return try take(.decline)
    case .interrupted(let signal):
      // Only Ctrl-C cancels the prompt; after other signals another agent may answer it.
      if signal == .interrupt { _ = try? perform(dialog.interrupted()) }
      return .interrupted(signal)
    }
  }

  private mutating func empty(_ inbox: any DialogInbox) throws(DialogError) -> End? {
    for input in inbox.take() {
      if let end = try take(input) { return end }
    }
    return nil
  }

  private mutating func take(_ input: DialogInput) throws(DialogError) -> End? {
    let now = SystemClock.bootNow()
    switch input {
    case .answer(let answer, let prompt):
      return try perform(dialog.answered(answer, to: prompt, at: now))
    case .fallBack(let prompt): return try perform(dialog.fellBack(of: prompt, at: now))
    case .decline: return try perform(dialog.declined())
    case .abandon: return .abandoned
    }
  }

  // MARK: What is done about it

  private mutating func perform(_ action: Dialog<SecretBox>.Action) throws(DialogError) -> End? {
    switch action {
    case .nothing: break
    case .end: return .closed
    case .respond(let nonce, let box):
      guard let answer = box.take() else { break }
      let isTaken = try give { (answers) throws(ClientError) in
        try answers.respond(nonce: nonce, passcode: answer)
      }
      if !isTaken { dialog.returned(SecretBox(answer)) }
    case .cancel(let nonce):
      _ = try give { (answers) throws(ClientError) in try answers.cancel(nonce: nonce) }
    case .fallBack(let nonce):
      _ = try give { (answers) throws(ClientError) in try answers.fallback(nonce: nonce) }
    case .note(let text, let isLast):
      try draw()
      try screen.note(text)
      return isLast ? .closed : nil
    }
    try draw()
    return nil
  }

  /// Sends an answer; returns false if its prompt had already been replaced.
  private mutating func give(
    _ body: (inout PromptAnswers) throws(ClientError) -> Void
  ) throws(DialogError) -> Bool {
    do throws(ClientError) {
      try body(&stream.answers)
      return true
    } catch {
      if error.isPromptGone { return false }
      throw .client(error)
    }
  }

  private mutating func draw() throws(DialogError) {
    guard let text = dialog.text(at: SystemClock.bootNow()) else { return screen.postpone() }
    try screen.show(text, question: dialog.questions)
  }
}
