import LocalAuthPAM
import LocalAuthSecret

/// Answers prompts from a list, and fails when it is used up.
final class ScriptedConversation: PAMConversation {
  private var answers: [String]
  /// What was shown or asked, in order.
  private(set) var texts: [String] = []

  init(_ answers: String...) {
    self.answers = answers
  }

  func answer(prompt: String, echo: Bool) throws(PAMConversationFailure) -> Secret {
    texts.append(prompt)
    guard !answers.isEmpty else { throw .aborted }
    var secret = Secret(capacity: 1024)
    for byte in answers.removeFirst().utf8 { _ = secret.append(byte) }
    return secret
  }

  func show(_ text: String, as notice: PAMNotice) throws(PAMConversationFailure) {
    texts.append(text)
  }
}
