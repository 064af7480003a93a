public import LocalAuthCore
import LocalAuthDialog
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
      fileprivate let message: AuthenticationMessages.NamedItem

      /// What people read, or the tag of a key.
      public var label: String? { message.label }
      /// The service, or the server.
      public var service: String? { message.service }
      /// Whose it is.
      public var account: String? { message.account }
    }

    private let message: AuthenticationMessages.Items

    fileprivate init(_ message: AuthenticationMessages.Items) { self.message = message }

    /// All of it as a sentence without its "to": `open "mail" (account me)`.
    public var text: String { message.text }
    /// How many items there are; nil where every one with an access control is meant.
    public var count: Int? { message.count.map { Int(clamping: $0) } }
    /// The first of them.
    public var names: [Name] { message.named.map { Name(message: $0) } }
  }

  /// The prompt as the service sent it.
  let message: AuthenticationMessages.Prompt

  init(_ message: AuthenticationMessages.Prompt) { self.message = message }

  /// What the fallback's button is called unless somebody says otherwise.
  public static let defaultFallbackTitle = "Enter Passcode"
  /// What the button that says no is called unless somebody says otherwise.
  public static let defaultCancelTitle = "Cancel"

  /// Names the evaluation in the device's audit.
  public var evaluation: String { message.evaluation }
  /// The policy that is evaluated.
  public var policy: PolicyName { .named(message.policy) }
  /// Why, in the words of the program that asks; where it gives none, what it is about to do.
  public var reason: String { message.reason }
  /// What a keychain call is about to do, and with which items: show its text; nil for any other call.
  public var items: Items? { message.items.map { Items($0) } }
  /// What exactly is approved, where the request says so: show all of it, as it is.
  public var action: String? { message.action }
  /// For whom a success is signed; nil where it stays here.
  public var audience: String? { message.audience }
  /// Which program asks; its own word, for display.
  public var requester: String { message.caller }
  /// The device.
  public var device: String { message.device }
  /// Whether the device is simulated.
  public var isSimulated: Bool { message.simulated }
  /// Whether a finger is waited for.
  public var asksForFinger: Bool { message.biometry }
  /// Whether the passcode is wanted, now or in a moment.
  public var asksForPasscode: Bool { message.passcode }
  /// Whether the application password of an item is wanted, which is no passcode.
  public var asksForApplicationPassword: Bool { message.applicationPassword ?? false }
  /// The authenticators that would answer it, one for each factor that is asked for.
  public var authenticators: [Authenticator] {
    (message.authenticators ?? []).map { Authenticator(message: $0) }
  }
  /// The question to answer; nil while no answer is taken.
  public var question: Question? {
    message.passcodePrompt.map { Question(text: $0, showsAnswer: message.passcodeEchoes) }
  }
  /// What the button is called that asks for the passcode instead; nil when there is none.
  public var fallbackTitle: String? {
    message.offeredFallback(orElse: Self.defaultFallbackTitle)
  }
  /// What the button is called that says no.
  public var cancelTitle: String { message.cancelTitle ?? Self.defaultCancelTitle }
  /// Misses left before fingers are locked; nil when nothing locks them.
  public var attemptsLeft: Int? { message.attemptsLeft.map { Int(clamping: $0) } }
  /// How long there is to answer, counted from when the prompt was shown.
  public var timeLeft: Duration? { message.secondsLeft.map { .seconds($0) } }
  /// How long a success answers the same program again without a prompt; nil for not at all.
  public var remembers: Duration? { message.remembersSeconds.map { .seconds($0) } }
}

extension Prompt {
  /// An authenticator that a prompt waits for.
  public struct Authenticator: Sendable, Hashable {
    let message: AuthenticationMessages.Authenticator

    /// Its name.
    public var name: String { message.name }
    /// The kind of evidence that it judges, such as `fingerprint`.
    public var kind: String { message.kind }
    /// What that rests on; nil for something that this version does not know.
    public var evidence: AuthenticatorClass? { AuthenticatorClass(rawValue: message.evidence) }
    /// What to tell the person, where the kind does not say it.
    public var instruction: String? { message.instruction }
    /// Whether its proof is simulated.
    public var isSimulated: Bool { message.simulated }
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
