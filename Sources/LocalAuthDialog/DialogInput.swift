public import LocalAuthSecret
public import LocalAuthWire

/// An input to a dialog, from a person or from the program itself.
public enum DialogInput: Sendable {
  /// Answers the question of a prompt; nil for the current one.
  case answer(SecretBox, to: AuthenticationMessages.Prompt?)
  /// Asks for the passcode instead at a prompt; nil for the current one.
  case fallBack(of: AuthenticationMessages.Prompt?)
  /// Declines.
  case decline
  /// Ends the dialog, whatever it asks.
  case abandon
}

/// The source of a dialog's inputs from other threads.
public protocol DialogInbox: AnyObject {
  /// Readable when inputs are pending.
  var descriptor: Int32 { get }
  /// Takes the inputs since the last call.
  func take() -> [DialogInput]
}
