public import LocalAuthSecret
public import LocalAuthWire

/// What a person, or the program itself, wants of a dialog.
public enum DialogInput: Sendable {
  /// Answers the question of a prompt; nil for the one that is shown.
  case answer(SecretBox, to: AuthenticationMessages.Prompt?)
  /// Asks for the passcode instead, of a prompt; nil for the one that is shown.
  case fallBack(of: AuthenticationMessages.Prompt?)
  /// Says no.
  case decline
  /// Ends the dialog, whatever is asked.
  case abandon
}

/// Where a dialog's thread hears of what others want.
public protocol DialogInbox: AnyObject {
  /// Readable when there is something to take.
  var descriptor: Int32 { get }
  /// What came since the last call.
  func take() -> [DialogInput]
}
