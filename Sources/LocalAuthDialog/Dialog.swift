public import LocalAuthCore
import LocalAuthTerminal
public import LocalAuthWire

/// What is said between the daemon and a person, step by step; pure.
///
/// An answer is whatever stands for what the person typed: it is handed on and never looked into. The
/// caller performs the ``Action`` of each event and then shows what the dialog has to show.
public struct Dialog<Answer> {
  /// Whose prompts are shown.
  public enum Role: Equatable, Sendable {
    /// The program's own; `reason` is shown while others are asked first.
    case caller(reason: String)
    /// Those of other programs, one after the other; with `servesOnce` the first is the last.
    case agent(servesOnce: Bool)
  }

  /// What the caller does.
  public enum Action {
    case nothing
    /// Answers the prompt of this nonce; where that is too late, ``returned(_:)`` is the next event.
    case respond(nonce: String, Answer)
    /// Says no to the prompt of this nonce.
    case cancel(nonce: String)
    /// Asks for the passcode instead at the prompt of this nonce.
    case fallBack(nonce: String)
    /// Leaves a line about a prompt that is over, and ends the dialog where it was the last.
    case note(String, isLast: Bool)
    /// Ends the dialog: there is no prompt to say no to.
    case end
  }

  private enum State {
    /// Nothing was told yet, or what was shown is over.
    case idle
    case queued(ahead: Int64)
    case asked(AskedPrompt)
  }

  /// How long an agent's prompt takes no answer: what is typed for the one that was there a moment ago
  /// must never answer one that nobody has read.
  private static var hesitation: Duration { .milliseconds(700) }

  private let role: Role
  /// Whether nobody but the answer that was given can answer.
  private let isUnattended: Bool
  private var state = State.idle
  private var held: HeldAnswer<Answer>?
  private var message: PromptMessage?
  private var wantsCancel = false
  private var hasMissedPasscode = false
  /// How often something was asked that what is typed for the last thing must not answer.
  private(set) var questions = 0
  /// What it comes to though it was cancelled: there was nobody left to answer.
  public private(set) var exhaustion: OutcomeCode?

  /// A dialog in which nothing is asked yet.
  ///
  /// `given` answers the first question for a passcode; `isUnattended` says that nobody can answer
  /// another.
  public init(_ role: Role, given: Answer? = nil, isUnattended: Bool = false) {
    self.role = role
    self.isUnattended = isUnattended
    held = given.map { HeldAnswer(answer: $0, question: nil) }
  }

  private var isAgent: Bool { if case .agent = role { true } else { false } }

  private var reason: String { if case .caller(let reason) = role { reason } else { "" } }

  private var asked: AskedPrompt? { if case .asked(let asked) = state { asked } else { nil } }

  // MARK: What the daemon tells

  /// So many others are asked first.
  public mutating func queued(ahead: Int64) -> Action {
    state = .queued(ahead: ahead)
    questions += 1
    return .nothing
  }

  /// Another prompt takes the place of the one before.
  public mutating func prompted(
    _ prompt: AuthenticationMessages.Prompt,
    at now: BootInstant
  ) -> Action {
    let before = asked
    let isAnother = isAgent && before?.prompt.evaluation != prompt.evaluation
    if isAnother { forget() }
    let asksTheSame = before?.takesAnswer(like: prompt) ?? false
    if isAnother || !asksTheSame { questions += 1 }
    state = .asked(
      AskedPrompt(
        prompt,
        at: now,
        takesAnswersFrom: isAnother ? now + Self.hesitation : before?.takesAnswersFrom
      )
    )
    if message == .checking { message = nil }
    return begin(prompt)
  }

  /// Something to tell while the prompt stays.
  public mutating func noticed(_ notice: AuthenticationMessages.Notice) -> Action {
    message = PromptMessage(notice)
    if notice.kind == "miss", notice.factor == "passcode" { hasMissedPasscode = true }
    return .nothing
  }

  /// An evaluation that an agent may show is over.
  public mutating func dismissed(_ dismissal: AgentMessages.Dismissal) -> Action {
    guard let prompt = asked?.prompt, prompt.evaluation == dismissal.evaluation else {
      return .nothing
    }
    forget()
    questions += 1
    return .note(
      "\(dismissal.outcome): \(prompt.reason), for \(prompt.caller)",
      isLast: role == .agent(servesOnce: true)
    )
  }

  /// Something else begins on the same stream.
  public mutating func goOn() { (state, message) = (.idle, nil) }

  // MARK: What the person does

  /// Something was typed, for the prompt that is shown or for `shown`.
  public mutating func answered(
    _ answer: Answer,
    to shown: AuthenticationMessages.Prompt? = nil,
    at now: BootInstant
  ) -> Action {
    guard let asked, asked.takesAnswers(at: now), let question = asked.prompt.question,
      shown == nil || shown?.question == question
    else { return .nothing }
    return respond(answer, to: asked.prompt)
  }

  /// Somebody chose the fallback of the prompt that is shown or of `shown`.
  public mutating func fellBack(
    of shown: AuthenticationMessages.Prompt? = nil,
    at now: BootInstant
  ) -> Action {
    guard let asked, asked.takesAnswers(at: now), asked.prompt.offeredFallback != nil,
      shown == nil || shown?.biometry == asked.prompt.biometry
    else { return .nothing }
    return spend(.fallBack(nonce: asked.prompt.nonce))
  }

  /// Somebody said no.
  public mutating func declined() -> Action {
    wantsCancel = true
    guard let asked else { return .end }
    guard asked.isAnswered else { return spend(.cancel(nonce: asked.prompt.nonce)) }
    // An agent goes on until the daemon says what became of the prompt.
    return isAgent ? .nothing : .end
  }

  /// Ctrl-C was pressed: an agent says no to what it shows before it ends.
  public mutating func interrupted() -> Action {
    guard isAgent, let asked, !asked.isAnswered else { return .nothing }
    return spend(.cancel(nonce: asked.prompt.nonce))
  }

  /// An answer came too late: it is for a prompt that puts the same question again.
  public mutating func returned(_ answer: Answer) {
    held = HeldAnswer(answer: answer, question: asked?.prompt.question)
  }

  // MARK: What is shown

  /// What a terminal shows; nil while there is nothing to show.
  func text(at now: BootInstant) -> PromptText? {
    switch state {
    case .idle: return isAgent ? .idle : nil
    case .queued(let ahead): return .queued(ahead: ahead, reason: reason)
    case .asked(let asked):
      var text = PromptText(asked.prompt, takesAnswers: asked.takesAnswers(at: now))
      text.message = message
      text.secondsLeft = asked.secondsLeft(at: now)
      return text
    }
  }

  /// How long until the text changes by itself; nil for ever.
  func changes(after now: BootInstant) -> Duration? { asked?.changes(after: now) }

  // MARK: Inside

  /// Nothing of one evaluation is left for the next, least of all an answer.
  private mutating func forget() {
    (state, held, message, wantsCancel) = (.idle, nil, nil, false)
  }

  private mutating func begin(_ prompt: AuthenticationMessages.Prompt) -> Action {
    if wantsCancel { return spend(.cancel(nonce: prompt.nonce)) }
    if let held, held.fits(prompt) {
      self.held = nil
      return respond(held.answer, to: prompt)
    }
    if held?.isStale(at: prompt) ?? false { held = nil }
    if isUnattended, !prompt.biometry, prompt.question != nil {
      exhaustion = hasMissedPasscode ? .authenticationFailed : .notInteractive
      return spend(.cancel(nonce: prompt.nonce))
    }
    return .nothing
  }

  private mutating func respond(
    _ answer: Answer,
    to prompt: AuthenticationMessages.Prompt
  ) -> Action {
    message = .checking
    return spend(.respond(nonce: prompt.nonce, answer))
  }

  /// Each nonce answers once.
  private mutating func spend(_ action: Action) -> Action {
    guard var asked else { return .nothing }
    asked.isAnswered = true
    state = .asked(asked)
    return action
  }
}

extension Dialog.Action: Equatable where Answer: Equatable {}
