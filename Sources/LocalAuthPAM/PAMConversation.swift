public import LocalAuthSecret

/// Answers the questions of PAM's modules.
///
/// The methods are called on the thread that runs the transaction, one at a time. Limits on the
/// number of calls and on the length of texts are enforced before these are called.
public protocol PAMConversation: AnyObject {
  /// Asks the user and returns the answer, which must not contain a NUL byte.
  ///
  /// `echo` says whether the answer may be shown while it is typed.
  func answer(prompt: String, echo: Bool) throws(PAMConversationFailure) -> Secret

  /// Shows the user a text that needs no answer.
  func show(_ text: String, as notice: PAMNotice) throws(PAMConversationFailure)
}

/// The kind of text a module shows.
public enum PAMNotice: Sendable {
  /// Information.
  case info
  /// An error message.
  case error
}

/// Why a conversation ended before PAM was done; no success can follow.
public enum PAMConversationFailure: Error, Equatable, Sendable {
  /// The side that prompts the user ended it or went away.
  case aborted
  /// A module prompted or showed texts more often than ``ConversationLimits`` allows.
  case tooManyMessages
}
