public import LocalAuthCore
public import LocalAuthSecret

/// What a PAM conversation says, in its order.
public enum ConversationEvent: Hashable, Sendable {
  /// It asks for something; `echoes` tells whether the answer may be shown while it is typed.
  case prompt(text: String, echoes: Bool)
  /// It tells the person something.
  case info(String)
  /// It tells the person that something went wrong.
  case error(String)
  /// It ended; nothing follows.
  case ended(Verdict)
}

/// A PAM conversation that is under way.
public protocol PasscodeConversation: AnyObject {
  /// Answers the prompt that waits.
  func respond(_ answer: SecretBox)
  /// Breaks the conversation off; `ended` still follows.
  func abort()
}

/// The port to PAM.
///
/// It is used, and calls back, on the engine's thread only.
public protocol PasscodeConversing: AnyObject {
  /// Starts to authenticate the user `uid` against the PAM service.
  ///
  /// `onEvent` is never called before this has returned, and ends with exactly one `ended`, whatever
  /// becomes of the worker: it is stopped when it takes longer than `limit`.
  func converse(
    uid: UInt32,
    service: String,
    directory: String?,
    limit: Duration,
    for charge: DurableCharge,
    onEvent: @escaping (ConversationEvent) -> Void
  ) -> any PasscodeConversation
}
