import LocalAuthCore
import LocalAuthSecret
import LocalAuthWire

/// Passes the questions of one transaction to the daemon.
final class WorkerConversation: PAMConversation {
  private let attempt: WorkerAttempt
  private let calls: WorkerCalls
  private var linesLeft = ConversationLimits.linesMax
  /// Why the worker cannot go on; nil if it can.
  private(set) var failure: WorkerFailure?

  /// What is asked where a module's question has nothing to show.
  private static let question = "Passcode: "

  init(_ attempt: WorkerAttempt, _ calls: WorkerCalls) {
    self.attempt = attempt
    self.calls = calls
  }

  func answer(prompt: String, echo: Bool) throws(PAMConversationFailure) -> Secret {
    let text = SpokenText(prompt)
    try tell(text.lines.dropLast(), as: .info)
    var word = AuthenticatorMessages.ArmReply()
    var question = AuthenticatorMessages.Question()
    question.text = text.lines.last.map { text.endsWithBlank ? $0 + " " : $0 } ?? Self.question
    question.echoes = echo
    word.question = question
    try say(word)
    return try nextAnswer()
  }

  func show(_ text: String, as notice: PAMNotice) throws(PAMConversationFailure) {
    try tell(SpokenText(text).lines[...], as: notice)
  }

  private func tell(
    _ lines: ArraySlice<String>,
    as notice: PAMNotice
  ) throws(PAMConversationFailure) {
    for line in lines.prefix(linesLeft) {
      linesLeft -= 1
      var word = AuthenticatorMessages.ArmReply()
      var words = AuthenticatorMessages.Notice()
      switch notice {
      case .info: words.kind = "info"
      case .error: words.kind = "error"
      }
      words.text = line
      word.notice = words
      try say(word)
    }
  }

  private func say(_ word: AuthenticatorMessages.ArmReply) throws(PAMConversationFailure) {
    guard attempt.call.reply(word, continues: true) else { throw .aborted }
  }

  private func nextAnswer() throws(PAMConversationFailure) -> Secret {
    do throws(WorkerFailure) {
      // Nothing but an answer and an end comes during an attempt.
      if case .answered(let box) = try calls.next(during: attempt), let answer = box.take() {
        return answer
      }
    } catch {
      failure = error
    }
    throw .aborted
  }
}
