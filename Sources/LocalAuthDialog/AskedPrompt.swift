import LocalAuthCore
public import LocalAuthWire

/// The question of a prompt, which an answer belongs to.
struct PromptQuestion: Equatable {
  let text: String
  /// Whether the answer is no secret.
  let echoes: Bool
}

extension AuthenticationMessages.Prompt {
  /// What is to be answered by typing; nil while no answer is taken.
  var question: PromptQuestion? {
    passcodePrompt.map { PromptQuestion(text: $0, echoes: passcodeEchoes) }
  }

  /// What the fallback is called, `standard` where the program does not say; nil where none is offered.
  ///
  /// An empty title is the program's way to hide it.
  public func offeredFallback(orElse standard: String) -> String? {
    let title = fallbackTitle ?? standard
    return fallback && !title.isEmpty ? title : nil
  }

  /// The same as a terminal calls it.
  var offeredFallback: String? { offeredFallback(orElse: "use the passcode") }
}

/// A prompt that is shown, until when, and whether it takes answers.
struct AskedPrompt {
  let prompt: AuthenticationMessages.Prompt
  private let ends: BootInstant?
  /// When it begins to take answers; nil for at once.
  let takesAnswersFrom: BootInstant?
  /// Whether the prompt's nonce is spent.
  var isAnswered = false

  init(
    _ prompt: AuthenticationMessages.Prompt,
    at now: BootInstant,
    takesAnswersFrom: BootInstant?
  ) {
    self.prompt = prompt
    ends = prompt.secondsLeft.map { now + .seconds($0) }
    self.takesAnswersFrom = takesAnswersFrom
  }

  /// Whether an answer that is given now counts; saying no always does.
  func takesAnswers(at now: BootInstant) -> Bool {
    !isAnswered && takesAnswersFrom.map { $0 <= now } ?? true
  }

  /// Whether what is being typed for this prompt may go on for `other`.
  func takesAnswer(like other: AuthenticationMessages.Prompt) -> Bool {
    !isAnswered && prompt.question == other.question
  }

  /// What is left in whole seconds, rounded up; nil where there is no end.
  func secondsLeft(at now: BootInstant) -> Int? {
    ends.map { Int((max(.zero, $0 - now) + .milliseconds(999)).components.seconds) }
  }

  /// How long until the countdown moves or answers are taken; nil for ever.
  func changes(after now: BootInstant) -> Duration? {
    let tick = ends.flatMap { end -> Duration? in
      guard end > now else { return nil }
      let left = end - now
      // Not at once again, where the clocks differ by a little.
      return max(left - .seconds(left.components.seconds), .milliseconds(20))
    }
    guard let takesAnswersFrom, takesAnswersFrom > now else { return tick }
    let opens = takesAnswersFrom - now
    return tick.map { min($0, opens) } ?? opens
  }
}

/// An answer that waits for its question: one that was given beforehand, or one that was typed for a
/// prompt that another has replaced meanwhile.
struct HeldAnswer<Answer> {
  let answer: Answer
  /// The question that it was typed for; nil for the first one that asks for the passcode.
  let question: PromptQuestion?

  /// Whether it is meant for what `prompt` asks.
  func fits(_ prompt: AuthenticationMessages.Prompt) -> Bool {
    guard let asked = prompt.question else { return false }
    return question.map { $0 == asked } ?? (prompt.passcode && !asked.echoes)
  }

  /// Whether it has nothing to wait for once `prompt` is asked: another question was put.
  func isStale(at prompt: AuthenticationMessages.Prompt) -> Bool {
    question != nil && prompt.question != nil && !fits(prompt)
  }
}
