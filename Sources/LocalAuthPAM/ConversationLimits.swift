import LocalAuthCore

/// The limits on what the modules of one transaction may ask and say.
public enum ConversationLimits {
  /// The most prompts.
  public static let promptsMax = 32
  /// The most texts that need no answer.
  public static let textsMax = 64
  /// The longest text in bytes (PAM_MAX_MSG_SIZE); longer ones are cut.
  public static let textSizeMax = 512
  /// The most lines of texts that are shown: what the protocol allows besides the other words.
  ///
  /// Further ones are left out, so that a module that says much can still ask and be judged.
  public static let linesMax = Arming.wordsMax - promptsMax - 2
}
