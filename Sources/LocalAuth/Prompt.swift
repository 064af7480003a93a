public import LocalAuthCore
import LocalAuthDialog
import LocalAuthWire

/// A prompt, for a user interface to show to a person.
///
/// The contents are untrusted: show them as text, and never interpret markup or control characters.
public struct Prompt: Sendable, Hashable {
  /// A question that is answered by typing.
  public struct Question: Sendable, Hashable {
    /// The question in the words of the passcode's provider: `Passcode:`.
    public let text: String
    /// Whether the answer is not secret and may be shown while it is typed.
    public let showsAnswer: Bool
  }

  /// The operation of a keychain call, and the items it affects.
  public struct Items: Sendable, Hashable {
    /// An item's name, truncated if long; the program that stored the item chose it.
    public struct Name: Sendable, Hashable {
      fileprivate let message: AuthenticationMessages.NamedItem

      /// The item's label, or the tag of a key.
      public var label: String? { message.label }
      /// The service, or the server.
      public var service: String? { message.service }
      /// The account.
      public var account: String? { message.account }
    }

    private let message: AuthenticationMessages.Items

    fileprivate init(_ message: AuthenticationMessages.Items) { self.message = message }

    /// The operation and its items as an infinitive without "to": `open "mail" (account me)`.
    public var text: String { message.text }
    /// The number of items; nil if the call covers every item with an access control.
    public var count: Int? { message.count.map { Int(clamping: $0) } }
    /// The names of the first items.
    public var names: [Name] { message.named.map { Name(message: $0) } }
  }

  /// The prompt as the service sent it.
  let message: AuthenticationMessages.Prompt

  init(_ message: AuthenticationMessages.Prompt) { self.message = message }

  /// The default title of the fallback button.
  public static let defaultFallbackTitle = "Enter Passcode"
  /// The default title of the cancel button.
  public static let defaultCancelTitle = "Cancel"

  /// The identifier of the evaluation in the device's audit.
  public var evaluation: String { message.evaluation }
  /// The policy that is evaluated.
  public var policy: PolicyName { .named(message.policy) }
  /// The reason given by the requesting program; if it gives none, the operation.
  public var reason: String { message.reason }
  /// The operation and items of a keychain call, whose text must be shown; nil for any other call.
  public var items: Items? { message.items.map { Items($0) } }
  /// The exact action to approve, if the request has one; show it in full and unchanged.
  public var action: String? { message.action }
  /// The audience a success is signed for; nil if it is not signed.
  public var audience: String? { message.audience }
  /// The requesting program by its own account, for display only.
  public var requester: String { message.caller }
  /// The name of the device.
  public var device: String { message.device }
  /// Whether the device is simulated.
  public var isSimulated: Bool { message.simulated }
  /// Whether the prompt waits for a finger.
  public var asksForFinger: Bool { message.biometry }
  /// Whether the prompt asks for the passcode, now or shortly.
  public var asksForPasscode: Bool { message.passcode }
  /// Whether the prompt asks for an item's application password, which is not the passcode.
  public var asksForApplicationPassword: Bool { message.applicationPassword ?? false }
  /// The authenticators that can answer, one for each requested factor.
  public var authenticators: [Authenticator] {
    (message.authenticators ?? []).map { Authenticator(message: $0) }
  }
  /// The question to answer; nil while the prompt accepts no answer.
  public var question: Question? {
    message.passcodePrompt.map { Question(text: $0, showsAnswer: message.passcodeEchoes) }
  }
  /// The title of the button that asks for the passcode instead; nil if there is none.
  public var fallbackTitle: String? {
    message.offeredFallback(orElse: Self.defaultFallbackTitle)
  }
  /// The title of the cancel button.
  public var cancelTitle: String { message.cancelTitle ?? Self.defaultCancelTitle }
  /// The number of misses left before fingers are locked; nil if nothing locks them.
  public var attemptsLeft: Int? { message.attemptsLeft.map { Int(clamping: $0) } }
  /// The time left to answer when the prompt was shown.
  public var timeLeft: Duration? { message.secondsLeft.map { .seconds($0) } }
  /// How long a success will answer the same program again without a prompt; nil if not at all.
  public var remembers: Duration? { message.remembersSeconds.map { .seconds($0) } }
}

extension Prompt {
  /// An authenticator that a prompt waits for.
  public struct Authenticator: Sendable, Hashable {
    let message: AuthenticationMessages.Authenticator

    /// The authenticator's name.
    public var name: String { message.name }
    /// The kind of evidence it judges, such as `fingerprint`.
    public var kind: String { message.kind }
    /// The class of that evidence; nil if this version does not know it.
    public var evidence: AuthenticatorClass? { AuthenticatorClass(rawValue: message.evidence) }
    /// An instruction for the person, if the kind alone does not explain what to do.
    public var instruction: String? { message.instruction }
    /// Whether its proofs are simulated.
    public var isSimulated: Bool { message.simulated }
  }
}

/// A message for the person while the prompt stays open.
public struct PromptNotice: Sendable, Hashable {
  /// The kind of notice.
  public enum Kind: String, Sendable, Hashable {
    /// A finger or a passcode was judged wrong.
    case miss
    /// A touch was unusable and was not judged.
    case retry
    /// A message from the passcode's provider.
    case info
    /// An error message from the passcode's provider.
    case error
  }

  /// The kind of notice.
  public let kind: Kind
  /// The text to show.
  public let text: String

  init(_ notice: AuthenticationMessages.Notice) {
    kind = Kind(rawValue: notice.kind) ?? .info
    text = notice.text
  }
}

/// An event of an evaluation for a user interface; events arrive in this order.
public enum PromptEvent: Sendable, Hashable {
  /// `ahead` other requests are served first.
  case waiting(ahead: Int)
  /// A prompt to show, which replaces the previous one.
  case prompt(Prompt)
  /// A notice to show while the prompt stays open.
  case notice(PromptNotice)
  /// Take the prompt away; the last event.
  case ended
}
