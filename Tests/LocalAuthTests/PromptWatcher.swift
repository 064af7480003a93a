import LocalAuth
import Synchronization

/// A user interface that tells a test what it is asked, and lets it answer.
final class PromptWatcher: Prompting {
  /// What was shown, as it is shown.
  let events: AsyncStream<PromptEvent>
  private let feed: AsyncStream<PromptEvent>.Continuation
  private let conversation = Mutex<PromptConversation?>(nil)
  private let answer: @Sendable (Prompt, PromptConversation) -> Void

  /// An interface that calls `answer` with each prompt.
  init(_ answer: @escaping @Sendable (Prompt, PromptConversation) -> Void = { _, _ in }) {
    (events, feed) = AsyncStream.makeStream()
    self.answer = answer
  }

  func show(_ event: PromptEvent, in conversation: PromptConversation) {
    self.conversation.withLock { $0 = conversation }
    if case .prompt(let prompt) = event { answer(prompt, conversation) }
    feed.yield(event)
  }

  /// Waits until a prompt is shown.
  func nextPrompt() async -> Prompt? {
    for await event in events {
      if case .prompt(let prompt) = event { return prompt }
    }
    return nil
  }

  /// Takes the answers of the evaluation that showed something last.
  var latestConversation: PromptConversation? { conversation.withLock { $0 } }
}
