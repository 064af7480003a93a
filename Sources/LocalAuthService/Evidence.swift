import LocalAuthCore
import LocalAuthSecret
import LocalAuthSensor

/// What one attempt is judged by, and what judging it opened: the secrets of an attempt, which its machine does not
/// hold.
final class Evidence {
  /// Who judges.
  enum Judge {
    /// The sensor, from what it captured.
    case sensor(Capture)
    /// The keybag, which the passcode opens.
    case keybag(SecretBox)
    /// PAM, which asks by itself.
    case pam(service: String, directory: String?)
    /// What the caller opens with it: it is told that the guess is charged, and reports the verdict itself.
    case caller(onCharged: (DurableCharge) -> Void)
  }

  let device: LiveDevice
  let judge: Judge
  /// Whether the keys are wanted that the passcode opens; then a conversation's answers are kept.
  let wantsKeys: Bool
  /// The PAM conversation, once it is under way.
  var conversation: (any PasscodeConversation)?
  /// The answer that the next question without echo gets, where nobody is asked.
  var prepared: SecretBox?
  /// The answers without echo that a conversation got, to be tried on the keybag after it.
  private(set) var candidates: [SecretBox] = []
  /// The class keys that the passcode opened.
  var opened: (any OpenedKeys)?
  /// Hears what a PAM conversation says; nil where nobody is there to answer it.
  var onConversation: ((ConversationEvent) -> Void)?
  /// Hears the verdict, once everything about it is durable.
  var onReport: (Verdict) -> Void = { _ in }
  private var answer: SecretBox?

  init(_ judge: Judge, on device: LiveDevice, wantsKeys: Bool = false) {
    self.judge = judge
    self.device = device
    self.wantsKeys = wantsKeys
  }

  /// Keeps an answer for the conversation until it may be handed on.
  func give(_ answer: SecretBox, echoes: Bool) {
    self.answer = answer
    guard wantsKeys, !echoes, let copy = answer.copied() else { return }
    candidates.append(copy)
  }

  /// Hands the answer on.
  func respond() {
    guard let answer else { return }
    self.answer = nil
    conversation?.respond(answer)
  }

  /// Forgets the answers that were kept, and says which they were.
  func takeCandidates() -> [SecretBox] {
    defer { candidates = [] }
    return candidates
  }
}
