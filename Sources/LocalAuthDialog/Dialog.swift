public import LocalAuthCore
import LocalAuthTerminal
public import LocalAuthWire

/// The dialog between the daemon and a person, step by step; pure.
///
/// `Answer` stands for what the person typed: it is passed on and never inspected. The caller
/// performs the ``Action`` returned for each event and then shows the dialog's text.
public struct Dialog<Answer> {
  /// Which program's prompts are shown.
  public enum Role: Equatable, Sendable {
    /// The prompts of this program; `reason` is shown while others are asked first.
    case caller(reason: String)
    /// The prompts of other programs, one after the other; with `servesOnce`, only the first.
    case agent(servesOnce: Bool)
  }

  /// What the caller has to do.
  public enum Action {
    case nothing
    /// Answer the prompt with this nonce; if that is too late, call ``returned(_:)`` next.
    case respond(nonce: String, Answer)
    /// Cancel the prompt with this nonce.
    case cancel(nonce: String)
    /// Ask for the passcode instead at the prompt with this nonce.
    case fallBack(nonce: String)
    /// Leave a line about a prompt that is over, and end the dialog if it was the last one.
    case note(String, isLast: Bool)
    /// End the dialog: there is no prompt to cancel.
    case end
  }

  private enum State {
    /// The daemon has reported nothing yet, or the last prompt is over.
    case idle
    case queued(ahead: Int64)
    case asked(AskedPrompt)
  }

  /// How long a new prompt of an agent accepts no answer.
  ///
  /// Text typed for the previous prompt must never answer one that nobody has read.
  private static var hesitation: Duration { .milliseconds(700) }

  private let role: Role
  /// Whether the given answer is the only one, because nobody can be asked.
  private let isUnattended: Bool
  private var state = State.idle
  private var held: HeldAnswer<Answer>?
  private var message: PromptMessage?
  private var wantsCancel = false
  private var hasMissedPasscode = false
  /// A count that changes whenever text typed so far must not answer the next question.
  private(set) var questions = 0
  /// The outcome that replaces a cancellation made because nobody could answer; nil if there is
  /// none.
  public private(set) var exhaustion: OutcomeCode?

  /// Creates a dialog without a prompt.
  ///
  /// `given` answers the first question for a passcode; `isUnattended` means that nobody can answer
  /// any other.
  public init(_ role: Role, given: Answer? = nil, isUnattended: Bool = false) {
    self.role = role
    self.isUnattended = isUnattended
    held = given.map { HeldAnswer(answer: $0, question: nil) }
  }

  private var isAgent: Bool { if case .agent = role { true } else { false } }

  private var reason: String { if case .caller(let reason) = role { reason } else { "" } }

  private var asked: AskedPrompt? { if case .asked(let asked) = state { asked } else { nil } }

  // MARK: What the daemon tells

  /// The request is queued behind `ahead` others.
  public mutating func queued(ahead: Int64) -> Action {
    state = .queued(ahead: ahead)
    questions += 1
    return .nothing
  }

  /// A new prompt replaces the current one.
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

  /// A message arrived; the prompt stays.
  public mutating func noticed(_ notice: AuthenticationMessages.Notice) -> Action {
    message = PromptMessage(notice)
    if notice.kind == "miss", notice.factor == "passcode" { hasMissedPasscode = true }
    return .nothing
  }

  /// An evaluation whose prompt an agent shows is over.
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

  /// Prepares for the next operation on the same stream.
  public mutating func goOn() { (state, message) = (.idle, nil) }

  // MARK: What the person does

  /// The person answered the current prompt; ignored if `shown` has another question.
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

  /// The person chose the fallback of the current prompt; ignored if `shown` differs in biometry.
  public mutating func fellBack(
    of shown: AuthenticationMessages.Prompt? = nil,
    at now: BootInstant
  ) -> Action {
    guard let asked, asked.takesAnswers(at: now), asked.prompt.offeredFallback != nil,
      shown == nil || shown?.biometry == asked.prompt.biometry
    else { return .nothing }
    return spend(.fallBack(nonce: asked.prompt.nonce))
  }

  /// The person declined.
  public mutating func declined() -> Action {
    wantsCancel = true
    guard let asked else { return .end }
    guard asked.isAnswered else { return spend(.cancel(nonce: asked.prompt.nonce)) }
    // An agent continues until the daemon reports the outcome of the prompt.
    return isAgent ? .nothing : .end
  }

  /// Ctrl-C was pressed: an agent cancels the current prompt before it ends.
  public mutating func interrupted() -> Action {
    guard isAgent, let asked, !asked.isAnswered else { return .nothing }
    return spend(.cancel(nonce: asked.prompt.nonce))
  }

  /// An answer came too late; keeps it for a prompt that asks the same question again.
  public mutating func returned(_ answer: Answer) {
    held = HeldAnswer(answer: answer, question: asked?.prompt.question)
  }

  // MARK: What is shown

  /// The text for a terminal; nil if there is nothing to show.
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

  /// The time until the text changes by itself; nil if it does not.
  func changes(after now: BootInstant) -> Duration? { asked?.changes(after: now) }

  // MARK: Inside

  /// Drops everything about the current evaluation, above all an answer, before the next.
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

  /// Marks the nonce as spent, because each can be answered only once.
  private mutating func spend(_ action: Action) -> Action {
    guard var asked else { return .nothing }
    asked.isAnswered = true
    state = .asked(asked)
    return action
  }
}

extension Dialog.Action: Equatable where Answer: Equatable {}
