import LocalAuthClient
import LocalAuthSecret
import LocalAuthWire

/// The person's answer to the prompt that is shown: whether it was given, and one that came too late and waits for
/// the same question to be put again.
struct PromptReply: ~Copyable {
  /// Whether the prompt's nonce is spent: each answers once.
  private(set) var isGiven = false
  private var held: HeldAnswer?

  /// Nothing is given; `answer` is for the first question that takes a passcode.
  init(_ answer: consuming Secret? = nil) {
    if let secret = answer { held = HeldAnswer(secret) } else { held = nil }
  }

  /// Another prompt is shown: gives it the answer that waits for its question, and lets go of one whose question
  /// is put no more.
  mutating func begin(
    _ prompt: AuthenticationMessages.Prompt,
    over answers: inout PromptAnswers
  ) throws(DialogError) {
    isGiven = false
    if held?.fits(prompt) ?? false, let answer = held.take() {
      try send(answer.release(), to: prompt, over: &answers)
    } else if held?.isStale(at: prompt) ?? false {
      held = nil
    }
  }

  /// Answers the prompt; an answer that came too late for it is held for one that asks the same.
  mutating func send(
    _ secret: consuming Secret,
    to prompt: AuthenticationMessages.Prompt,
    over answers: inout PromptAnswers
  ) throws(DialogError) {
    let isTaken = try give(over: &answers) { (answers) throws(ClientError) in
      try answers.respond(nonce: prompt.nonce, passcode: secret)
    }
    if !isTaken { held = HeldAnswer(secret, for: prompt) }
  }

  /// Says no to the prompt.
  mutating func cancel(
    _ prompt: AuthenticationMessages.Prompt,
    over answers: inout PromptAnswers
  ) throws(DialogError) {
    try give(over: &answers) { (answers) throws(ClientError) in
      try answers.cancel(nonce: prompt.nonce)
    }
  }

  /// Asks for the passcode instead.
  mutating func fallBack(
    _ prompt: AuthenticationMessages.Prompt,
    over answers: inout PromptAnswers
  ) throws(DialogError) {
    try give(over: &answers) { (answers) throws(ClientError) in
      try answers.fallback(nonce: prompt.nonce)
    }
  }

  /// False when another prompt had taken this one's place by then.
  @discardableResult
  private mutating func give(
    over answers: inout PromptAnswers,
    _ body: (inout PromptAnswers) throws(ClientError) -> Void
  ) throws(DialogError) -> Bool {
    isGiven = true
    do throws(ClientError) {
      try body(&answers)
      return true
    } catch {
      if error.isPromptGone { return false }
      throw .client(error)
    }
  }
}
