import NotesDevice
import Synchronization

/// What other devices did to shared notes, from the thread that hears it to the loop of the program.
final class News: Sendable {
  private let waiting = Mutex<[SharedNews]>([])

  func add(_ news: SharedNews) { waiting.withLock { $0.append(news) } }

  /// What was not taken yet, oldest first.
  func take() -> [SharedNews] {
    waiting.withLock { waiting in
      defer { waiting = [] }
      return waiting
    }
  }
}
