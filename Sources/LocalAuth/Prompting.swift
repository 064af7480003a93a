import LocalAuthDialog
public import LocalAuthSecret

/// Asks a person on behalf of a context.
public enum Prompter: Sendable {
  /// The terminal that the process was started from, where there is one; else an agent is asked, as
  /// with ``agent``.
  ///
  /// A process shows one such prompt at a time. While it is shown, signals that end the process
  /// restore the terminal first.
  case terminal
  /// An agent of the user: `authctl agent` in a terminal of theirs.
  ///
  /// Where none is registered, and for calls of the keychain, what needs a person fails with
  /// ``AuthError/notInteractive``.
  case agent
  /// Nobody: what needs a person fails with ``AuthError/notInteractive``.
  case nobody
  /// A user interface of the program's own.
  case custom(any Prompting)
}

/// A user interface that shows prompts and answers them.
public protocol Prompting: Sendable {
  /// Whether a person can be asked now; asked once, when an evaluation begins.
  var canAsk: Bool { get }

  /// Shows `event`.
  ///
  /// Called on a thread of the evaluation's own, one event at a time. It may block, but nothing
  /// else of the evaluation happens meanwhile, not even its cancellation; an interface that waits
  /// for a person returns at once and answers later.
  ///
  /// - Parameters:
  ///   - event: what to show.
  ///   - conversation: takes the answers; the same for all events of one evaluation.
  func show(_ event: PromptEvent, in conversation: PromptConversation)
}

extension Prompting {
  /// A person can always be asked.
  public var canAsk: Bool { true }
}

/// Takes a person's answers to the prompts of one evaluation, from any thread.
///
/// An answer holds for the prompt that it was given for, and for a later one of the same
/// evaluation that asks the same; it is dropped, and wiped, when neither is there any more.
public final class PromptConversation: Sendable {
  private let post: @Sendable (DialogInput) -> Void

  init(_ post: @escaping @Sendable (DialogInput) -> Void) { self.post = post }

  /// Answers the question of `prompt`.
  public func answer(_ prompt: Prompt, with passcode: consuming Secret) {
    post(.answer(SecretBox(passcode), to: prompt.message))
  }

  /// Asks for the passcode instead of the finger; nothing happens where that is not offered.
  public func chooseFallback(of prompt: Prompt) { post(.fallBack(of: prompt.message)) }

  /// Says no, which ends the evaluation with ``AuthError/userCancel``.
  public func cancel() { post(.decline) }
}
