import LocalAuthClient
import LocalAuthCore
import LocalAuthSecret
import LocalAuthTerminal
import LocalAuthUnix
import LocalAuthWire

/// Why a dialog came to no end of its own.
enum DialogError: Error {
  case client(ClientError)
  case terminal(TerminalError)
}

/// What a dialog can come to.
protocol DialogEnding: PromptEnding {
  /// `value` as it is said where the program canceled because nobody could answer any more.
  static func exhausted(_ value: Value, as outcome: OutcomeCode) -> Value
}

/// Shows what is under way to the person at the terminal, takes their answers, and ends with its
/// result.
struct EvaluationDialog<Ending: DialogEnding>: ~Copyable {
  /// How the dialog ended.
  enum End {
    case result(Ending.Value)
    /// The person said no while there was no prompt to say it to.
    case cancelled
    /// A signal came; the screen is gone and the signal is to have its old effect.
    case interrupted(TerminalSignal)
  }

  /// How long after its time the daemon may still be silent.
  private static var grace: Duration { .seconds(20) }
  private static var checking: PromptMessage { PromptMessage(.info, "Checking the answer.") }

  private var stream: PromptStream<Ending>
  private var screen: DialogScreen
  private var reply: PromptReply
  /// Whether nobody but the given answer can answer.
  private let isUnattended: Bool
  private let reason: String
  private var deadline: Deadline

  private var prompt: AuthenticationMessages.Prompt?
  private var promptEnds: Deadline?
  /// How many others are asked first; nil once it is our turn.
  private var ahead: Int64?
  private var message: PromptMessage?
  private var wantsCancel = false
  private var hasMissed = false
  /// What the evaluation comes to though it was cancelled: there was nobody left to answer.
  private var exhaustion: OutcomeCode?

  /// A dialog about `stream` on `screen`.
  ///
  /// `answer` answers the first question for a passcode; `isUnattended` says that nobody can answer
  /// another. `reason` is shown while others are asked first, and `timeout` is how long the evaluation
  /// may take.
  init(
    _ stream: consuming PromptStream<Ending>,
    on screen: consuming DialogScreen,
    answer: consuming Secret?,
    isUnattended: Bool,
    reason: String,
    timeout: Duration
  ) {
    self.stream = stream
    self.screen = screen
    reply = PromptReply(answer)
    self.isUnattended = isUnattended
    self.reason = reason
    deadline = .after(timeout + Self.grace)
  }

  /// Waits for the end.
  mutating func run() throws(DialogError) -> End {
    while true {
      if let end = try step() { return end }
    }
  }

  /// Begins something else on the same stream, which may take as long again; ``run()`` ends with it.
  mutating func goOn(
    timeout: Duration,
    _ begin: (inout PromptStream<Ending>) throws(ClientError) -> Void
  ) throws(DialogError) {
    (prompt, promptEnds, ahead, message) = (nil, nil, nil, nil)
    deadline = .after(timeout + Self.grace)
    do throws(ClientError) { try begin(&stream) } catch { throw .client(error) }
  }

  /// Lets a signal have its old effect, which by default ends the process.
  mutating func reraise(_ signal: TerminalSignal) { screen.reraise(signal) }

  private mutating func step() throws(DialogError) -> End? {
    // With nobody to watch besides there is nothing else to wait for.
    if screen.watched == nil, screen.opensAt == nil { return try take(try next()) }
    let ready = try waitForSomething()
    if let watched = screen.watched, ready.descriptors.contains(watched.signals) {
      return try heed(
        try terminal { (screen) throws(TerminalError) in try screen.signalIsPending() }
      )
    }
    if ready.isSocketReady { return try take(try next()) }
    if let watched = screen.watched, ready.descriptors.contains(watched.keys) {
      return try heed(
        try terminal { (screen) throws(TerminalError) in try screen.keysAreReadable() }
      )
    }
    return try timePassed()
  }

  // MARK: Waiting

  private mutating func waitForSomething() throws(DialogError) -> ClientSocket.Readiness {
    let others = screen.watched.map { [$0.signals, $0.keys] } ?? []
    let wake = wakeUp()
    do throws(ClientError) {
      return try stream.wait(alsoFor: others, until: wake)
    } catch {
      throw .client(error)
    }
  }

  /// When to look again though nothing happened: half an escape sequence, the countdown, the end.
  private mutating func wakeUp() -> Deadline {
    if let milliseconds = screen.keyTimeout { return .after(.milliseconds(Int64(milliseconds))) }
    if let opensAt = screen.opensAt { return min(opensAt, deadline) }
    guard screen.watched != nil, let promptEnds else { return deadline }
    return min(promptEnds.nextTick, deadline)
  }

  private mutating func timePassed() throws(DialogError) -> End? {
    guard !deadline.hasPassed else {
      throw .client(.unreachable("the daemon did not end the evaluation in time: look at its log"))
    }
    if screen.keyTimeout != nil { return try heed(screen.keyTimeoutHasPassed()) }
    try refresh()
    return nil
  }

  // MARK: What the daemon tells

  private mutating func next() throws(DialogError) -> PromptStream<Ending>.Event {
    do throws(ClientError) {
      return try stream.next(until: deadline)
    } catch {
      throw .client(error)
    }
  }

  private mutating func take(_ event: PromptStream<Ending>.Event) throws(DialogError) -> End? {
    switch event {
    case .queued(let ahead):
      self.ahead = ahead
      try show(asksAnew: true)
    case .prompt(let new): try take(new)
    case .notice(let notice):
      message = PromptText.message(of: notice)
      hasMissed = hasMissed || notice.kind == "miss" && notice.factor == "passcode"
      try refresh()
    case .result(let result):
      screen.end()
      return .result(exhaustion.map { Ending.exhausted(result, as: $0) } ?? result)
    }
    return nil
  }

  private mutating func take(_ new: AuthenticationMessages.Prompt) throws(DialogError) {
    let asksTheSame = !reply.isGiven && prompt?.passcodePrompt == new.passcodePrompt
    ahead = nil
    prompt = new
    promptEnds = new.secondsLeft.map { .after(.seconds($0)) }
    if message == Self.checking { message = nil }
    if wantsCancel { return try reply.cancel(new, over: &stream.answers) }
    try reply.begin(new, over: &stream.answers)
    if isUnattended, !reply.isGiven, !new.biometry, new.passcodePrompt != nil {
      exhaustion = hasMissed ? .authenticationFailed : .notInteractive
      return try reply.cancel(new, over: &stream.answers)
    }
    try show(asksAnew: !asksTheSame)
  }

  // MARK: What the person does

  private mutating func heed(_ event: PromptEvent) throws(DialogError) -> End? {
    switch event {
    case .nothing: return nil
    case .interrupted(let signal):
      screen.end()
      return .interrupted(signal)
    case .cancelled:
      wantsCancel = true
      guard let prompt, !reply.isGiven else {
        screen.end()
        return .cancelled
      }
      try reply.cancel(prompt, over: &stream.answers)
    case .fallback:
      guard let prompt, !reply.isGiven, prompt.fallback else { return nil }
      try reply.fallBack(prompt, over: &stream.answers)
    case .answered:
      guard let prompt, !reply.isGiven, let secret = screen.takeAnswer() else { return nil }
      message = Self.checking
      try reply.send(secret, to: prompt, over: &stream.answers)
      try refresh()
    }
    return nil
  }

  // MARK: The screen

  private mutating func show(asksAnew: Bool) throws(DialogError) {
    guard let state else { return }
    _ = try terminal { (screen) throws(TerminalError) -> PromptEvent in
      try screen.show(state, asksAnew: asksAnew)
      return .nothing
    }
  }

  private mutating func refresh() throws(DialogError) {
    guard let state else { return }
    _ = try terminal { (screen) throws(TerminalError) -> PromptEvent in
      try screen.refresh(state)
      return .nothing
    }
  }

  private var state: PromptState? {
    if let ahead { return PromptText.queued(ahead: ahead, reason: reason) }
    return prompt.map { prompt in
      PromptText.state(
        of: prompt,
        message: message,
        secondsLeft: promptEnds?.wholeSeconds,
        isAnswered: reply.isGiven
      )
    }
  }

  private mutating func terminal(
    _ body: (inout DialogScreen) throws(TerminalError) -> PromptEvent
  ) throws(DialogError) -> PromptEvent {
    do throws(TerminalError) { return try body(&screen) } catch { throw .terminal(error) }
  }
}
