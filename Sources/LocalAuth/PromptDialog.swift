import LocalAuthClient
import LocalAuthSecret
import LocalAuthTerminal
import LocalAuthUnix
import LocalAuthWire

/// Takes what may need a person to its end: hands prompts to the surface and answers to the service.
///
/// Belongs to one thread. Letting it go cancels what is still under way.
struct PromptDialog<Ending: PromptEnding>: ~Copyable {
  private let inbox: PromptInbox
  private let surface: any PromptSurface
  private var stream: PromptStream<Ending>
  /// Whether anything was shown that must be taken away.
  private var hasShown = false
  private var prompt: Prompt?
  /// Whether the prompt's nonce is spent: each answers once.
  private var isAnswered = false
  /// An answer that came too late for its prompt, for a later one that asks the same.
  private var held: PromptAnswer?

  init(
    _ inbox: PromptInbox,
    on surface: any PromptSurface,
    _ stream: consuming PromptStream<Ending>
  ) {
    self.inbox = inbox
    self.surface = surface
    self.stream = stream
  }

  /// Waits for the result.
  mutating func result() throws(AuthError) -> Ending.Value {
    while true {
      let ready = try waitForSomething()
      for answer in try inbox.takeAnswers() { try send(answer) }
      if ready.isSocketReady {
        let event = try next()
        if case .result(let result) = event { return result }
        try take(event)
      }
      try attend(to: ready.descriptors)
    }
  }

  /// Takes away what was shown, if anything.
  mutating func close() {
    guard hasShown else { return }
    hasShown = false
    try? surface.show(.ended)
  }

  /// The stream, on which something else may be begun after the result.
  consuming func finish() -> PromptStream<Ending> { stream }

  // MARK: What the service tells

  private mutating func waitForSomething() throws(AuthError) -> ClientSocket.Readiness {
    do throws(ClientError) {
      return try stream.wait(
        alsoFor: [inbox.descriptor] + surface.descriptors,
        until: surface.wakeUp
      )
    } catch {
      throw AuthError(error)
    }
  }

  private mutating func next() throws(AuthError) -> PromptStream<Ending>.Event {
    do throws(ClientError) {
      return try stream.next()
    } catch {
      throw AuthError(error)
    }
  }

  private mutating func take(_ event: PromptStream<Ending>.Event) throws(AuthError) {
    switch event {
    case .queued(let ahead): try show(.waiting(ahead: Int(clamping: ahead)))
    case .notice(let notice): try show(.notice(PromptNotice(notice)))
    case .prompt(let sent):
      let new = Prompt(sent)
      prompt = new
      isAnswered = false
      try show(.prompt(new))
      if let answer = held {
        held = nil
        try send(answer)
      }
    case .result: break
    }
  }

  // MARK: The surface

  private mutating func show(_ event: PromptEvent) throws(AuthError) {
    hasShown = true
    do throws(TerminalError) {
      try surface.show(event)
    } catch {
      throw AuthError(error)
    }
  }

  private mutating func attend(to readable: [Int32]) throws(AuthError) {
    let event: SurfaceEvent
    do throws(TerminalError) {
      event = try surface.attend(to: readable)
    } catch {
      throw AuthError(error)
    }
    switch event {
    case .nothing: break
    case .answer(let answer): try send(answer)
    case .interrupted(let signal):
      // Where the signal does not end the process, what it asked for is cancelled all the same.
      surface.reraise(signal)
      throw .appCancel
    }
  }

  // MARK: Answers

  private mutating func send(_ answer: PromptAnswer) throws(AuthError) {
    switch answer.kind {
    case .cancel:
      // With no prompt to say it to, letting the evaluation go is all that is left.
      guard let prompt, !isAnswered else { throw .userCancel }
      let isTaken = try respond { (stream) throws(ClientError) in
        try stream.answers.cancel(nonce: prompt.nonce)
      }
      if !isTaken { held = answer }
    case .fallback:
      guard let prompt, !isAnswered, prompt.fallbackTitle != nil,
        answer.prompt?.asksForFinger == prompt.asksForFinger
      else { return }
      _ = try respond { (stream) throws(ClientError) in
        try stream.answers.fallback(nonce: prompt.nonce)
      }
    case .passcode(let box): try send(box, answering: answer.prompt)
    }
  }

  private mutating func send(
    _ box: SecretBox,
    answering answered: Prompt?
  ) throws(AuthError) {
    guard let prompt, !isAnswered, let question = prompt.question, question == answered?.question,
      let passcode = box.take()
    else { return }
    let isTaken = try respond { (stream) throws(ClientError) in
      try stream.answers.respond(nonce: prompt.nonce, passcode: passcode)
    }
    if !isTaken {
      held = PromptAnswer(kind: .passcode(SecretBox(passcode)), prompt: prompt)
    }
  }

  /// False when another prompt has taken this one's place meanwhile.
  private mutating func respond(
    _ body: (inout PromptStream<Ending>) throws(ClientError) -> Void
  ) throws(AuthError) -> Bool {
    isAnswered = true
    do throws(ClientError) {
      try body(&stream)
    } catch {
      if error.isPromptGone { return false }
      throw AuthError(error)
    }
    do throws(TerminalError) {
      try surface.answered()
    } catch {
      throw AuthError(error)
    }
    return true
  }
}
