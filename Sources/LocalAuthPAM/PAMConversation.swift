public import LocalAuthSecret

/// Whoever answers what PAM's modules ask.
///
/// The calls come on the thread that runs the transaction, one at a time. Limits on the number of
/// calls and on the length of texts are kept before these are reached.
public protocol PAMConversation: AnyObject {
  /// Asks the user and returns the answer, without a NUL byte in it; `echo` says whether it may be
  /// seen while it is typed.
  func answer(prompt: String, echo: Bool) throws(PAMConversationFailure) -> Secret

  /// Shows the user a text that wants no answer.
  func show(_ text: String, as notice: PAMNotice) throws(PAMConversationFailure)
}

/// What kind of text a module shows.
public enum PAMNotice: Sendable {
  /// Something worth knowing.
  case info
  /// Something is wrong.
  case error
}

/// Why a conversation ends before PAM is done; no success can follow.
public enum PAMConversationFailure: Error, Equatable, Sendable {
  /// The asking side ended it or went away.
  case aborted
  /// A module prompts or shows more often than `WorkerMessage` allows.
  case tooManyMessages
}
