import LocalAuthClient
import LocalAuthCore
import LocalAuthSecret
import LocalAuthTerminal
import LocalAuthUnix
import LocalAuthWire

/// Shows an evaluation to the person at the terminal, takes their answers, and ends with its result.
///
/// The screen is taken over with the first prompt, or a moment later where a script or a given
/// passcode may answer first; until then signals keep their old effect, which ends the process and
/// so cancels the evaluation.
struct EvaluationDialog: ~Copyable {
  /// How the dialog ended.
  enum End {
    case result(AuthenticationMessages.Result)
    /// The person said no while there was no prompt to say it to.
    case cancelled
    /// A signal came; the screen is gone and the signal is to have its old effect.
    case interrupted(TerminalSignal)
  }

  /// How long after its time the daemon may still be silent.
  private static let grace = Duration.seconds(20)
  /// How long a script has before the prompt is shown: it answers within that or not at all.
  private static let scriptsTurn = Duration.milliseconds(150)

  private static let checking = PromptMessage(.info, "Checking the answer.")

  private var stream: EvaluationStream
  private var terminal: Terminal?
  private var screen: PromptSession?
  /// What the screen is told by; nil while there is none.
  private var watched: (signals: Int32, keys: Int32)?
  private var answer: HeldAnswer?
  private let style: PromptStyle
  private let reason: String
  private let deadline: Deadline
  private let showsAtOnce: Bool
  private var opensAt: Deadline?

  private var prompt: AuthenticationMessages.Prompt?
  private var promptEnds: Deadline?
  private var ahead: Int64?
  private var message: PromptMessage?
  /// Whether the prompt's nonce is spent: each answers once.
  private var isAnswered = false
  private var wantsCancel = false

  /// - Parameters:
  ///   - stream: the evaluation.
  ///   - terminal: where a person can be asked; nil for nowhere.
  ///   - answer: what was given to answer the first passcode question with.
  ///   - reason: what is shown while others are asked first.
  ///   - timeout: how long the evaluation may take.
  ///   - hasScript: whether a script answers first.
  ///   - style: how prompts may look.
  init(
    _ stream: consuming EvaluationStream,
    terminal: consuming Terminal?,
    answer: consuming Secret?,
    reason: String,
    timeout: Duration,
    hasScript: Bool,
    style: PromptStyle
  ) {
    self.stream = stream
    self.terminal = terminal
    showsAtOnce = !hasScript && answer == nil
    if let secret = answer { self.answer = HeldAnswer(secret) } else { self.answer = nil }
    self.style = style
    self.reason = reason
    deadline = .after(timeout + Self.grace)
  }

  /// Waits for the end.
  mutating func run() throws(DialogError) -> End {
    while true {
      if let end = try step() { return end }
    }
  }

  /// Lets a signal have its old effect, which by default ends the process.
  mutating func reraise(_ signal: TerminalSignal) { screen?.reraise(signal) }

  private mutating func step() throws(DialogError) -> End? {
    // With nobody to watch besides there is nothing else to wait for.
    if watched == nil, opensAt == nil { return try take(try next()) }
    let ready = try waitForSomething()
    if let watched, ready.descriptors.contains(watched.signals) {
      return try heed(
        try onScreen { (screen) throws(TerminalError) in
          try screen.signalIsPending()
        }
      )
    }
    if ready.isSocketReady { return try take(try next()) }
    if let watched, ready.descriptors.contains(watched.keys) {
      return try heed(
        try onScreen { (screen) throws(TerminalError) in
          try screen.terminalIsReadable()
        }
      )
    }
    return try timePassed()
  }

  // MARK: Waiting

  private mutating func waitForSomething() throws(DialogError) -> ClientSocket.Readiness {
    let others = watched.map { [$0.signals, $0.keys] } ?? []
    let wake = wakeUp()
    do throws(ClientError) {
      return try stream.wait(alsoFor: others, until: wake)
    } catch {
      throw .client(error)
    }
  }

  /// When to look again though nothing happened: half an escape sequence, the countdown, the end.
  private mutating func wakeUp() -> Deadline {
    if let milliseconds = screen?.timeoutMilliseconds {
      return .after(.milliseconds(Int64(milliseconds)))
    }
    if let opensAt { return min(opensAt, deadline) }
    guard watched != nil, let promptEnds else { return deadline }
    // The whole seconds shown change when the part of a second that is left has passed.
    let left = promptEnds.remaining
    let untilChange = left - .seconds(max(0, left.components.seconds))
    return min(.after(max(untilChange, .milliseconds(20))), deadline)
  }

  private mutating func timePassed() throws(DialogError) -> End? {
    if deadline.hasPassed {
      throw .client(.unreachable("the daemon did not end the evaluation in time: look at its log"))
    }
    if screen?.timeoutMilliseconds != nil {
      return try heed(try onScreen { (screen) throws(TerminalError) in screen.timeoutHasPassed() })
    }
    if let opensAt, opensAt.hasPassed {
      self.opensAt = nil
      try openScreen()
    }
    try refresh()
    return nil
  }

  // MARK: What the daemon tells

  private mutating func next() throws(DialogError) -> EvaluationStream.Event {
    do throws(ClientError) {
      return try stream.next(until: deadline)
    } catch {
      throw .client(error)
    }
  }

  private mutating func take(_ event: EvaluationStream.Event) throws(DialogError) -> End? {
    switch event {
    case .queued(let ahead):
      self.ahead = ahead
      try show(asksAnew: true)
    case .prompt(let new): try take(new)
    case .notice(let notice):
      message = PromptText.message(of: notice)
      try refresh()
    case .result(let result):
      screen?.end()
      return .result(result)
    }
    return nil
  }

  private mutating func take(_ new: AuthenticationMessages.Prompt) throws(DialogError) {
    let asksTheSame = !isAnswered && prompt?.passcodePrompt == new.passcodePrompt
    ahead = nil
    prompt = new
    promptEnds = new.secondsLeft.map { .after(.seconds($0)) }
    isAnswered = false
    if message == Self.checking { message = nil }
    if wantsCancel { return try cancel(new) }
    if answer?.fits(new) ?? false, let held = answer.take() {
      try send(held.release(), to: new)
    } else if answer?.isStale(at: new) ?? false {
      answer = nil
    }
    try show(asksAnew: !asksTheSame)
  }

  // MARK: What the person does

  private mutating func heed(_ event: PromptEvent) throws(DialogError) -> End? {
    switch event {
    case .nothing: return nil
    case .interrupted(let signal):
      screen?.end()
      return .interrupted(signal)
    case .cancelled:
      wantsCancel = true
      guard let prompt, !isAnswered else {
        screen?.end()
        return .cancelled
      }
      try cancel(prompt)
    case .fallback:
      guard let prompt, !isAnswered, prompt.fallback else { return nil }
      try respond { (stream) throws(ClientError) in try stream.fallback(nonce: prompt.nonce) }
    case .answered:
      guard let prompt, !isAnswered, let secret = screen?.takeAnswer() else { return nil }
      message = Self.checking
      try send(secret, to: prompt)
      try refresh()
    }
    return nil
  }

  private mutating func cancel(
    _ prompt: AuthenticationMessages.Prompt
  ) throws(DialogError) {
    try respond { (stream) throws(ClientError) in try stream.cancel(nonce: prompt.nonce) }
  }

  /// Answers the prompt; an answer that came too late for it is held for one that asks the same.
  private mutating func send(
    _ secret: consuming Secret,
    to prompt: AuthenticationMessages.Prompt
  ) throws(DialogError) {
    let isTaken = try respond { (stream) throws(ClientError) in
      try stream.respond(nonce: prompt.nonce, passcode: secret)
    }
    if !isTaken { answer = HeldAnswer(secret, for: prompt) }
  }

  /// False when another prompt has taken this one's place meanwhile.
  @discardableResult
  private mutating func respond(
    _ body: (inout EvaluationStream) throws(ClientError) -> Void
  ) throws(DialogError) -> Bool {
    isAnswered = true
    do throws(ClientError) {
      try body(&stream)
      return true
    } catch {
      if case .remote(let name, _) = error, name.hasSuffix(".PromptNotFound") { return false }
      throw .client(error)
    }
  }

  // MARK: The screen

  private mutating func show(asksAnew: Bool) throws(DialogError) {
    if watched == nil, showsAtOnce {
      try openScreen()
    } else if watched == nil, opensAt == nil, terminal != nil {
      opensAt = .after(Self.scriptsTurn)
    }
    try draw(asksAnew: asksAnew)
  }

  private mutating func refresh() throws(DialogError) { try draw(asksAnew: false) }

  private mutating func draw(asksAnew: Bool) throws(DialogError) {
    guard let state = currentState else { return }
    _ = try onScreen { (screen) throws(TerminalError) -> PromptEvent in
      if asksAnew { try screen.ask(state) } else { try screen.show(state) }
      return .nothing
    }
  }

  private var currentState: PromptState? {
    if let ahead { return PromptText.queued(ahead: ahead, reason: reason) }
    return prompt.map { prompt in
      PromptText.state(
        of: prompt,
        message: message,
        secondsLeft: promptEnds.map { Int(($0.remaining + .milliseconds(999)).components.seconds) },
        isAnswered: isAnswered
      )
    }
  }

  private mutating func openScreen() throws(DialogError) {
    guard let terminal = terminal.take() else { return }
    do throws(TerminalError) {
      let opened = try PromptSession(terminal: terminal, style: style)
      watched = (opened.signalDescriptor, opened.terminalDescriptor)
      screen = consume opened
    } catch {
      throw .terminal(error)
    }
  }

  /// Does something with the screen; nothing where there is none.
  private mutating func onScreen(
    _ body: (inout PromptSession) throws(TerminalError) -> PromptEvent
  ) throws(DialogError) -> PromptEvent {
    guard var taken = screen.take() else { return .nothing }
    let result: Result<PromptEvent, TerminalError>
    do throws(TerminalError) {
      result = .success(try body(&taken))
    } catch {
      result = .failure(error)
    }
    screen = consume taken
    do throws(TerminalError) {
      return try result.get()
    } catch {
      throw .terminal(error)
    }
  }
}

/// Why a dialog came to no end of its own.
enum DialogError: Error {
  case client(ClientError)
  case terminal(TerminalError)
}
