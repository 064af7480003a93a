/// Serializes changes of a device's items, first come, first served.
final class MutationQueue {
  private var waiting: [() -> Void] = []
  private var isTaken = false

  /// Calls `body` once the turn is free, which may be at once; it must end its turn with
  /// ``leave()``.
  func enter(_ body: @escaping () -> Void) {
    guard isTaken else {
      isTaken = true
      return body()
    }
    waiting.append(body)
  }

  /// Ends the turn and gives it to the next in line.
  func leave() {
    guard !waiting.isEmpty else {
      isTaken = false
      return
    }
    waiting.removeFirst()()
  }
}
