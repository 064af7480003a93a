import LocalAuthCore
import LocalAuthSecret

/// What one attempt is judged by, and what judging it opened: the secrets of an attempt, which its machine does not
/// hold.
final class Evidence {
  let device: LiveDevice
  /// Who judges.
  let authenticator: any Authenticator
  /// What is judged; nothing where the authenticator captures by itself.
  let sample: Submission
  /// Whether the keys are wanted that the passcode opens; then a conversation's answers are kept.
  let wantsKeys: Bool
  /// The attempt as the authenticator has it, while it works on it.
  var judgment: (any Judgment)?
  /// The answer that the next question without echo gets, where nobody is asked.
  var prepared: SecretBox?
  /// The answers without echo that a conversation got, to be tried on the keybag after it.
  private(set) var candidates: [SecretBox] = []
  /// The class keys that the passcode opened.
  private(set) var opened: (any OpenedKeys)?
  /// Hears what the authenticator says; nil where nobody is there to answer it.
  var onEvent: ((AuthenticatorEvent) -> Void)?
  /// Hears the verdict, once everything about it is durable.
  var onReport: (Verdict) -> Void = { _ in }
  private var answer: SecretBox?

  init(
    _ authenticator: any Authenticator,
    _ sample: Submission = .none,
    on device: LiveDevice,
    wantsKeys: Bool = false
  ) {
    self.authenticator = authenticator
    self.sample = sample
    self.device = device
    self.wantsKeys = wantsKeys
  }

  /// Whether there is something to judge from the beginning.
  var isSubmitted: Bool { authenticator.description.judging == .onRequest }

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
    judgment?.respond(answer)
  }

  /// Forgets the answers that were kept, and says which they were.
  func takeCandidates() -> [SecretBox] {
    defer { candidates = [] }
    return candidates
  }

  /// Keeps the keys where they are wanted.
  func keep(_ keys: any OpenedKeys) {
    if wantsKeys { opened = keys }
  }
}
