import LocalAuthWire

/// What a person is asked, as a user interface shows it.
///
/// Everything here may come from elsewhere: show it as text, never as markup or control characters.
public struct Prompt: Sendable, Hashable {
  /// A question that is answered by typing.
  public struct Question: Sendable, Hashable {
    /// The question, as the passcode's provider words it: `Passcode:`.
    public let text: String
    /// Whether the answer is no secret and may be shown while it is typed.
    public let showsAnswer: Bool
  }

  /// What a keychain call is about to do, and with which items.
  public struct Items: Sendable, Hashable {
    /// What an item is called, cut where it is long; whoever stored it chose the words.
    public struct Name: Sendable, Hashable {
      /// What people read, or the tag of a key.
      public let label: String?
      /// The service, or the server.
      public let service: String?
      /// Whose it is.
      public let account: String?
    }

    /// All of it as a sentence without its "to": `open "mail" (account me)`.
    public let text: String
    /// How many items there are; nil where every one with an access control is meant.
    public let count: Int?
    /// The first of them.
    public let names: [Name]
  }

  /// Names the evaluation in the device's audit.
  public let evaluation: String
  /// The policy that is evaluated.
  public let policy: PolicyName
  /// Why, in the words of the program that asks; where it gives none, what it is about to do.
  public let reason: String
  /// What a keychain call is about to do, and with which items: show its text; nil for any other call.
  public let items: Items?
  /// What exactly is approved, where the request says so: show all of it, as it is.
  public let action: String?
  /// For whom a success is signed; nil where it stays here.
  public let audience: String?
  /// Which program asks; its own word, for display.
  public let requester: String
  /// The device.
  public let device: String
  /// Whether the device is simulated.
  public let isSimulated: Bool
  /// Whether a finger is waited for.
  public let asksForFinger: Bool
  /// Whether the passcode is wanted, now or in a moment.
  public let asksForPasscode: Bool
  /// Whether the application password of an item is wanted, which is no passcode.
  public let asksForApplicationPassword: Bool
  /// The question to answer; nil while no answer is taken.
  public let question: Question?
  /// What the button is called that asks for the passcode instead; nil when there is none.
  public let fallbackTitle: String?
  /// What the button is called that says no.
  public let cancelTitle: String
  /// Misses left before fingers are locked; nil when nothing locks them.
  public let attemptsLeft: Int?
  /// How long there is to answer, counted from when the prompt was shown.
  public let timeLeft: Duration?
  /// How long a success answers the same program again without a prompt; nil for not at all.
  public let remembers: Duration?
  /// What an answer must carry.
  let nonce: String

  /// What the fallback's button is called unless somebody says otherwise.
  public static let defaultFallbackTitle = "Enter Passcode"
  /// What the button that says no is called unless somebody says otherwise.
  public static let defaultCancelTitle = "Cancel"

  init(_ prompt: AuthenticationMessages.Prompt) {
    evaluation = prompt.evaluation
    policy = .named(prompt.policy)
    reason = prompt.reason
    items = prompt.items.map { Items($0) }
    action = prompt.action
    audience = prompt.audience
    requester = prompt.caller
    device = prompt.device
    isSimulated = prompt.simulated
    asksForFinger = prompt.biometry
    asksForPasscode = prompt.passcode
    asksForApplicationPassword = prompt.applicationPassword ?? false
    question = prompt.passcodePrompt.map {
      Question(text: $0, showsAnswer: prompt.passcodeEchoes)
    }
    // An empty title is the program's way to hide the button.
    let title = prompt.fallbackTitle ?? Self.defaultFallbackTitle
    fallbackTitle = prompt.fallback && !title.isEmpty ? title : nil
    cancelTitle = prompt.cancelTitle ?? Self.defaultCancelTitle
    attemptsLeft = prompt.attemptsLeft.map { Int(clamping: $0) }
    timeLeft = prompt.secondsLeft.map { .seconds($0) }
    remembers = prompt.remembersSeconds.map { .seconds($0) }
    nonce = prompt.nonce
  }
}

extension Prompt.Items {
  fileprivate init(_ items: AuthenticationMessages.Items) {
    text = items.text
    count = items.count.map { Int(clamping: $0) }
    names = items.named.map { Name(label: $0.label, service: $0.service, account: $0.account) }
  }
}

/// Something to tell the person while the prompt stays.
public struct PromptNotice: Sendable, Hashable {
  /// What it is about.
  public enum Kind: String, Sendable, Hashable {
    /// A finger or a passcode was judged and is wrong.
    case miss
    /// A touch was no good and was not judged.
    case retry
    /// The passcode's provider has something to say.
    case info
    /// The passcode's provider has something to complain about.
    case error
  }

  /// What it is about.
  public let kind: Kind
  /// The words to show.
  public let text: String

  init(_ notice: AuthenticationMessages.Notice) {
    kind = Kind(rawValue: notice.kind) ?? .info
    text = notice.text
  }
}

/// What a user interface hears of one evaluation, in this order.
public enum PromptEvent: Sendable, Hashable {
  /// So many other requests are served first.
  case waiting(ahead: Int)
  /// What to show; it replaces the prompt before it.
  case prompt(Prompt)
  /// Something to tell while the prompt stays.
  case notice(PromptNotice)
  /// Take the prompt away; the last event.
  case ended
}
