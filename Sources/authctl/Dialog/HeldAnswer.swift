import LocalAuthSecret
import LocalAuthWire

/// An answer that waits for its question: from `--passcode-fd`, or typed for a prompt that another
/// prompt with the same question has replaced meanwhile.
struct HeldAnswer: ~Copyable {
  private let secret: Secret
  /// The question that it was typed for; nil for the first one that shows no answer.
  private let question: String?

  /// An answer to the first question that takes a passcode.
  init(_ secret: consuming Secret) {
    self.secret = secret
    question = nil
  }

  /// An answer that was typed for this prompt.
  init(_ secret: consuming Secret, for prompt: AuthenticationMessages.Prompt) {
    self.secret = secret
    question = prompt.passcodePrompt
  }

  /// Whether it is meant for what `prompt` asks.
  func fits(_ prompt: AuthenticationMessages.Prompt) -> Bool {
    guard let asked = prompt.passcodePrompt else { return false }
    return question.map { $0 == asked } ?? (prompt.passcode && !prompt.passcodeEchoes)
  }

  /// Whether it has nothing to wait for once `prompt` is asked: another question was put.
  func isStale(at prompt: AuthenticationMessages.Prompt) -> Bool {
    question != nil && prompt.passcodePrompt != nil && !fits(prompt)
  }

  /// The answer itself.
  consuming func release() -> Secret { secret }
}
