import LocalAuthCore
import LocalAuthSecret

/// The sample of one attempt and the keys that judging it opened; the attempt's machine holds no
/// secrets.
final class Evidence {
  let device: LiveDevice
  /// The authenticator that judges the attempt.
  let authenticator: any Authenticator
  /// The sample; `none` if the authenticator captures its own.
  let sample: Submission
  /// Whether the keys the passcode opens are wanted; if so, a conversation's answers are kept.
  let wantsKeys: Bool
  /// The attempt at the authenticator, while it is being judged.
  var judgment: (any Judgment)?
  /// The answer to the next question without echo, if no person is asked.
  var prepared: SecretBox?
  /// The answers given without echo, to be tried on the keybag after the conversation.
  private(set) var candidates: [SecretBox] = []
  /// The class keys that the passcode opened.
  private(set) var opened: (any OpenedKeys)?
  /// Receives the authenticator's events; nil if no person can answer them.
  var onEvent: ((AuthenticatorEvent) -> Void)?
  /// Receives the verdict, once everything about it is durable.
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

  /// Whether there is something to judge from the start.
  var isSubmitted: Bool { authenticator.description.judging == .onRequest }

  /// The text that is there before anything is asked.
  var given: SecretBox? { if case .text(let text) = sample { text } else { prepared } }

  /// Holds an answer until it may be passed to the conversation.
  func give(_ answer: SecretBox, echoes: Bool) {
    self.answer = answer
    guard wantsKeys, !echoes, let copy = answer.copied() else { return }
    candidates.append(copy)
  }

  /// Passes the held answer to the conversation.
  func respond() {
    guard let answer else { return }
    self.answer = nil
    judgment?.respond(answer)
  }

  /// Returns the kept answers and forgets them.
  func takeCandidates() -> [SecretBox] {
    defer { candidates = [] }
    return candidates
  }

  /// Keeps the keys if they are wanted.
  func keep(_ keys: any OpenedKeys) {
    if wantsKeys { opened = keys }
  }
}
