/// The text of a prompt on a terminal.
///
/// Any of it may come from an untrusted source: it is sanitized when it is drawn.
public struct PromptText: Equatable, Sendable {
  /// What the user is asked to allow: "deploy to production".
  public var reason = ""
  /// The operation and the secrets it concerns: "open "mail" (account me)".
  public var items: String?
  /// The exact action to approve, shown whole and verbatim: "deploy build 4711".
  public var action: String?
  /// The audience for which a success is signed; nil if the result stays local.
  public var audience: String?
  /// How long a success is reused: "5m"; nil if it is not remembered.
  public var remembered: String?
  /// The requester: "deploy.sh (process 4711) for policy device-owner".
  public var requester = ""
  /// Whether the device is simulated, so that a success proves nothing.
  public var isSimulated = false
  /// The authenticators that would answer now.
  public var authenticators: [LiveAuthenticator] = []
  /// Whole seconds until the prompt times out; nil if it does not.
  public var secondsLeft: Int?
  /// The message about the last event.
  public var message: PromptMessage?
  /// The title of the fallback; nil if there is none.
  public var fallbackTitle: String?
  /// The question to answer by typing; nil if there is none.
  public var entry: PromptEntry?
}

extension PromptText {
  /// Creates a text without a question.
  public init(reason: String, telling message: PromptMessage?) {
    self.init(reason: reason, message: message)
  }
}

/// An authenticator that would answer now.
public struct LiveAuthenticator: Equatable, Sendable {
  /// The instruction to the user: "Touch the fingerprint sensor".
  public var instruction: String
  /// How many misses are left before it is locked; nil if unknown.
  public var attemptsLeft: Int?
  /// Whether only erasing the device helps after the last of them.
  public var locksForGood: Bool

  /// Creates a description of an authenticator.
  public init(instruction: String, attemptsLeft: Int? = nil, locksForGood: Bool = false) {
    self.instruction = instruction
    self.attemptsLeft = attemptsLeft
    self.locksForGood = locksForGood
  }
}

/// A message about the last event.
public struct PromptMessage: Equatable, Sendable {
  /// The severity of a message; shown by color only, because the text states it too.
  public enum Kind: Equatable, Sendable {
    case info
    /// A judged attempt failed.
    case miss
    /// An attempt was not judged: partial, too fast, busy.
    case retry
    case error
  }

  /// The severity.
  public var kind: Kind
  /// The text.
  public var text: String

  /// Creates a message.
  public init(_ kind: Kind, _ text: String) {
    self.kind = kind
    self.text = text
  }
}

/// A question to answer by typing.
public struct PromptEntry: Equatable, Sendable {
  /// How the answer is shown while it is typed.
  public enum Echo: Equatable, Sendable {
    /// Nothing at all.
    case nothing
    /// One star for each character.
    case stars
    /// The answer itself; never used for a secret.
    case text
  }

  /// The question, without a colon: "Passcode".
  public var label: String
  /// How the answer is shown.
  public var echo: Echo
  /// The number of characters typed; a session fills this in.
  public var typedCount = 0
  /// The text typed, if it may be shown; a session fills this in.
  public var typedText = ""

  /// Creates a question.
  public init(label: String, echo: Echo) {
    self.label = label
    self.echo = echo
  }
}
