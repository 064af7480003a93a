import LocalAuthCore
public import LocalAuthWire

/// The question of a prompt; an answer is valid only for the question it was given to.
struct PromptQuestion: Equatable {
  let text: String
  /// Whether the answer is shown while it is typed, because it is not a secret.
  let echoes: Bool
}

extension AuthenticationMessages.Prompt {
  /// The question to answer by typing; nil while no answer is accepted.
  var question: PromptQuestion? {
    passcodePrompt.map { PromptQuestion(text: $0, echoes: passcodeEchoes) }
  }

  /// The title of the fallback, `standard` unless the program sets one; nil if none is offered.
  ///
  /// A program hides the fallback with an empty title.
  public func offeredFallback(orElse standard: String) -> String? {
    let title = fallbackTitle ?? standard
    return fallback && !title.isEmpty ? title : nil
  }

  /// The title of the fallback on a terminal; nil if none is offered.
  var offeredFallback: String? {
    offeredFallback(orElse: fallbackEnds == true ? "end without a finger" : "use the passcode")
  }
}

/// The current prompt, when it times out, and whether it accepts answers.
struct AskedPrompt {
  let prompt: AuthenticationMessages.Prompt
  private let ends: BootInstant?
  /// When it starts to accept answers; nil for at once.
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

  /// Whether an answer given now counts; declining always does.
  func takesAnswers(at now: BootInstant) -> Bool {
    !isAnswered && takesAnswersFrom.map { $0 <= now } ?? true
  }

  /// Whether text being typed for this prompt may also answer `other`.
  func takesAnswer(like other: AuthenticationMessages.Prompt) -> Bool {
    !isAnswered && prompt.question == other.question
  }

  /// The whole seconds left, rounded up; nil if there is no time limit.
  func secondsLeft(at now: BootInstant) -> Int? {
    ends.map { Int((max(.zero, $0 - now) + .milliseconds(999)).components.seconds) }
  }

  /// The time until the countdown changes or answers are accepted; nil if neither will happen.
  func changes(after now: BootInstant) -> Duration? {
    let tick = ends.flatMap { end -> Duration? in
      guard end > now else { return nil }
      let left = end - now
      // Keep a minimum, so that a small difference between clocks causes no second wake-up.
      return max(left - .seconds(left.components.seconds), .milliseconds(20))
    }
    guard let takesAnswersFrom, takesAnswersFrom > now else { return tick }
    let opens = takesAnswersFrom - now
    return tick.map { min($0, opens) } ?? opens
  }
}

/// An answer that waits for its question.
///
/// It was given in advance, or typed for a prompt that has been replaced meanwhile.
struct HeldAnswer<Answer> {
  let answer: Answer
  /// The question it was typed for; nil for the first one that asks for the passcode.
  let question: PromptQuestion?

  /// Whether it answers the question of `prompt`.
  func fits(_ prompt: AuthenticationMessages.Prompt) -> Bool {
    guard let asked = prompt.question else { return false }
    return question.map { $0 == asked } ?? (prompt.passcode && !asked.echoes)
  }

  /// Whether it has become useless, because `prompt` asks another question.
  func isStale(at prompt: AuthenticationMessages.Prompt) -> Bool {
    question != nil && prompt.question != nil && !fits(prompt)
  }
}
