import LocalAuthDialog
public import LocalAuthSecret

/// The means by which a context asks a person.
public enum Prompter: Sendable {
  /// The terminal of the process; if it has none, an agent, as with ``agent``.
  ///
  /// A process shows one such prompt at a time. While it is shown, signals that end the process
  /// restore the terminal first.
  case terminal
  /// An agent of the user: `authctl agent`, running in another terminal.
  ///
  /// If no agent is registered, a request that needs a person fails with
  /// ``AuthError/notInteractive``.
  case agent
  /// None: a request that needs a person fails with ``AuthError/notInteractive``.
  case nobody
  /// The program's own user interface.
  case custom(any Prompting)
}

/// A user interface that shows prompts and answers them.
public protocol Prompting: Sendable {
  /// Whether a person can be asked now; asked once, when an evaluation begins.
  var canAsk: Bool { get }

  /// Shows `event`.
  ///
  /// Called on the evaluation's own thread, one event at a time. It may block, but the evaluation
  /// makes no progress meanwhile and cannot even be cancelled; an interface that waits for a person
  /// must return at once and answer later.
  ///
  /// - Parameters:
  ///   - event: the event to show.
  ///   - conversation: receives the answers; the same for all events of one evaluation.
  func show(_ event: PromptEvent, in conversation: PromptConversation)
}

extension Prompting {
  /// True: by default a person can always be asked.
  public var canAsk: Bool { true }
}

/// Receives a person's answers to the prompts of one evaluation, from any thread.
///
/// An answer applies to its prompt, or to a later one of the same evaluation that asks the same. If
/// neither is open any more, the answer is wiped and dropped.
public final class PromptConversation: Sendable {
  private let post: @Sendable (DialogInput) -> Void

  init(_ post: @escaping @Sendable (DialogInput) -> Void) { self.post = post }

  /// Answers the question of `prompt`.
  public func answer(_ prompt: Prompt, with passcode: consuming Secret) {
    post(.answer(SecretBox(passcode), to: prompt.message))
  }

  /// Asks for the passcode instead of the finger; has no effect if the prompt does not offer that.
  public func chooseFallback(of prompt: Prompt) { post(.fallBack(of: prompt.message)) }

  /// Cancels, which ends the evaluation with ``AuthError/userCancel``.
  public func cancel() { post(.decline) }
}
