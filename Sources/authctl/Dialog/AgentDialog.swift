import LocalAuthClient
import LocalAuthSecret
import LocalAuthTerminal
import LocalAuthUnix
import LocalAuthWire

/// Shows the prompts of others to the person at the terminal, one after the other, and answers them.
struct AgentDialog: ~Copyable {
  /// How the dialog ended.
  enum End {
    /// The person ended it while nothing was asked.
    case ended
    /// One prompt was dealt with, and no more were wanted.
    case served
    /// A signal came; the screen is gone and the signal is to have its old effect.
    case interrupted(TerminalSignal)
  }

  /// How long a prompt takes no passcode: what is typed for the one that was there a moment ago must
  /// never answer one that nobody has read.
  private static let hesitation = Duration.milliseconds(700)
  private static let checking = PromptMessage(.info, "Checking the answer.")
  private static let idle = PromptState(
    message: PromptMessage(.info, "Waiting for programs that ask. Press q or Ctrl-C to end.")
  )

  private var stream: AgentStream
  private var session: PromptSession
  private let servesOnce: Bool
  /// Hears every event before it is shown.
  private let tell: (AgentStream.Event) -> Void

  private var prompt: AuthenticationMessages.Prompt?
  private var promptEnds: Deadline?
  /// When the prompt begins to take a passcode; nil once it does.
  private var takesAnswersFrom: Deadline?
  private var message: PromptMessage?
  private var reply = PromptReply()
  private var wantsCancel = false

  /// A dialog on `terminal` about what `stream`, whose registration was taken, tells.
  init(
    _ stream: consuming AgentStream,
    on terminal: consuming Terminal,
    style: PromptStyle,
    servesOnce: Bool,
    tell: @escaping (AgentStream.Event) -> Void
  ) throws(TerminalError) {
    session = try PromptSession(terminal: terminal, style: style)
    self.stream = stream
    self.servesOnce = servesOnce
    self.tell = tell
  }

  /// Shows prompts until the end.
  mutating func run() throws(DialogError) -> End {
    try draw(asksAnew: true)
    while true {
      if let end = try step() { return end }
    }
  }

  /// Lets a signal have its old effect, which by default ends the process.
  mutating func reraise(_ signal: TerminalSignal) { session.reraise(signal) }

  private mutating func step() throws(DialogError) -> End? {
    let (signals, keys) = (session.signalDescriptor, session.terminalDescriptor)
    let ready = try client { (dialog) throws(ClientError) in
      try dialog.stream.wait(alsoFor: [signals, keys], until: dialog.wakeUp)
    }
    if ready.descriptors.contains(signals) {
      return try heed(
        try terminal { (session) throws(TerminalError) in
          try session.signalIsPending()
        }
      )
    }
    if ready.isSocketReady {
      return try take(try client { (dialog) throws(ClientError) in try dialog.stream.next() })
    }
    if ready.descriptors.contains(keys) {
      return try heed(
        try terminal { (session) throws(TerminalError) in
          try session.terminalIsReadable()
        }
      )
    }
    if session.timeoutMilliseconds != nil { return try heed(session.timeoutHasPassed()) }
    try draw(asksAnew: false)
    return nil
  }

  /// When to look again though nothing happened: half an escape sequence, a prompt that begins to take
  /// a passcode, the countdown.
  private var wakeUp: Deadline? {
    if let milliseconds = session.timeoutMilliseconds {
      return .after(.milliseconds(Int64(milliseconds)))
    }
    guard prompt != nil else { return nil }
    var next = promptEnds?.nextTick
    if let takesAnswersFrom { next = next.map { min($0, takesAnswersFrom) } ?? takesAnswersFrom }
    return next
  }

  // MARK: What the daemon tells

  private mutating func take(_ event: AgentStream.Event) throws(DialogError) -> End? {
    tell(event)
    switch event {
    case .registered: break
    case .prompt(let new): try take(new)
    case .notice(let notice):
      message = PromptText.message(of: notice)
      try draw(asksAnew: false)
    case .dismissed(let dismissal):
      guard let prompt, prompt.evaluation == dismissal.evaluation else { break }
      forgetPrompt()
      try draw(asksAnew: true)
      try note("\(dismissal.outcome): \(prompt.reason), for \(prompt.caller)")
      if servesOnce { return finish(.served) }
    }
    return nil
  }

  private mutating func take(_ new: AuthenticationMessages.Prompt) throws(DialogError) {
    let isSame = prompt?.evaluation == new.evaluation
    let asksTheSame = isSame && !reply.isGiven && prompt?.passcodePrompt == new.passcodePrompt
    if !isSame {
      forgetPrompt()
      takesAnswersFrom = .after(Self.hesitation)
    }
    prompt = new
    promptEnds = new.secondsLeft.map { .after(.seconds($0)) }
    if message == Self.checking { message = nil }
    if wantsCancel {
      try reply.cancel(new, over: &stream.answers)
    } else {
      try reply.begin(new, over: &stream.answers)
    }
    try draw(asksAnew: !asksTheSame)
  }

  /// Nothing of one evaluation is left for the next, least of all a passcode.
  private mutating func forgetPrompt() {
    (prompt, promptEnds, takesAnswersFrom, message) = (nil, nil, nil, nil)
    reply = PromptReply()
    wantsCancel = false
  }

  // MARK: What the person does

  private mutating func heed(_ event: PromptEvent) throws(DialogError) -> End? {
    switch event {
    case .nothing: break
    case .interrupted(let signal):
      // Ctrl-C is a no to what is asked; other signals leave it to another agent.
      if signal == .interrupt, let prompt, !reply.isGiven {
        try? reply.cancel(prompt, over: &stream.answers)
      }
      return finish(.interrupted(signal))
    case .cancelled:
      guard let prompt else { return finish(.ended) }
      wantsCancel = true
      if !reply.isGiven { try reply.cancel(prompt, over: &stream.answers) }
    case .fallback:
      guard let prompt, !reply.isGiven, !isHesitating, prompt.fallback else { break }
      try reply.fallBack(prompt, over: &stream.answers)
    case .answered:
      guard let prompt, !reply.isGiven, !isHesitating else { break }
      let secret = session.takeAnswer()
      message = Self.checking
      try reply.send(secret, to: prompt, over: &stream.answers)
      try draw(asksAnew: false)
    }
    return nil
  }

  private mutating func finish(_ end: End) -> End {
    reply = PromptReply()
    session.end()
    return end
  }

  // MARK: The screen

  private var isHesitating: Bool { takesAnswersFrom.map { !$0.hasPassed } ?? false }

  private mutating func draw(asksAnew: Bool) throws(DialogError) {
    if !isHesitating { takesAnswersFrom = nil }
    let state = self.state
    _ = try terminal { (session) throws(TerminalError) -> PromptEvent in
      if asksAnew { try session.ask(state) } else { try session.show(state) }
      return .nothing
    }
  }

  private mutating func note(_ text: String) throws(DialogError) {
    _ = try terminal { (session) throws(TerminalError) -> PromptEvent in
      try session.note(text)
      return .nothing
    }
  }

  private var state: PromptState {
    guard let prompt else { return Self.idle }
    return PromptText.state(
      of: prompt,
      message: message,
      secondsLeft: promptEnds?.wholeSeconds,
      isAnswered: reply.isGiven || isHesitating
    )
  }

  private mutating func terminal(
    _ body: (inout PromptSession) throws(TerminalError) -> PromptEvent
  ) throws(DialogError) -> PromptEvent {
    do throws(TerminalError) { return try body(&session) } catch { throw .terminal(error) }
  }

  private mutating func client<Value>(
    _ body: (inout Self) throws(ClientError) -> Value
  ) throws(DialogError) -> Value {
    do throws(ClientError) { return try body(&self) } catch { throw .client(error) }
  }
}
