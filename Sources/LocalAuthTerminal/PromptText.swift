/// A prompt as text: what a terminal shows of it.
///
/// All text may come from elsewhere: it is made harmless when it is drawn.
public struct PromptText: Equatable, Sendable {
  /// What the user is asked to allow: "deploy to production".
  public var reason = ""
  /// What is about to be done with which secrets: "open "mail" (account me)".
  public var items: String?
  /// What exactly is approved, shown whole and as it is: "deploy build 4711".
  public var action: String?
  /// For whom a success is signed; nil where it stays here.
  public var audience: String?
  /// How long a success answers again: "5m"; nil when it is not remembered.
  public var remembered: String?
  /// Who asks: "deploy.sh (process 4711) for policy device-owner".
  public var requester = ""
  /// Whether the device is simulated, so that a success proves nothing.
  public var isSimulated = false
  /// What would answer now.
  public var authenticators: [LiveAuthenticator] = []
  /// Whole seconds until the prompt ends by itself; nil when it does not.
  public var secondsLeft: Int?
  /// What happened last.
  public var message: PromptMessage?
  /// What the fallback is called; nil when there is none.
  public var fallbackTitle: String?
  /// The question to be answered by typing; nil when none is asked.
  public var entry: PromptEntry?
}

extension PromptText {
  /// A text that asks nothing yet.
  public init(reason: String, telling message: PromptMessage?) {
    self.init(reason: reason, message: message)
  }
}

/// An authenticator that would answer now.
public struct LiveAuthenticator: Equatable, Sendable {
  /// What to do: "Touch the fingerprint sensor".
  public var instruction: String
  /// How often it may still miss before it is locked; nil when unknown.
  public var attemptsLeft: Int?

  /// Describes one.
  public init(instruction: String, attemptsLeft: Int? = nil) {
    self.instruction = instruction
    self.attemptsLeft = attemptsLeft
  }
}

/// What happened last, in words.
public struct PromptMessage: Equatable, Sendable {
  /// How serious it is; shown as color only, the words say it too.
  public enum Kind: Equatable, Sendable {
    case info
    /// Judged, and not recognised.
    case miss
    /// Not judged: partial, too fast, busy.
    case retry
    case error
  }

  /// How serious it is.
  public var kind: Kind
  /// The words.
  public var text: String

  /// Makes a message.
  public init(_ kind: Kind, _ text: String) {
    self.kind = kind
    self.text = text
  }
}

/// A question that is answered by typing.
public struct PromptEntry: Equatable, Sendable {
  /// What is shown while the answer is typed.
  public enum Echo: Equatable, Sendable {
    /// Nothing at all.
    case nothing
    /// One star for each character.
    case stars
    /// The answer itself: never for a secret.
    case text
  }

  /// The question, without a colon: "Passcode".
  public var label: String
  /// What is shown of the answer.
  public var echo: Echo
  /// How many characters are typed; a session fills this in.
  public var typedCount = 0
  /// What is typed, where it may be shown; a session fills this in.
  public var typedText = ""

  /// Asks a question.
  public init(label: String, echo: Echo) {
    self.label = label
    self.echo = echo
  }
}
