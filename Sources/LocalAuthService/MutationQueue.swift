/// Lets one change of a device's items happen at a time, first come, first served.
final class MutationQueue {
  private var waiting: [() -> Void] = []
  private var isTaken = false

  /// Calls `body` when nobody else has the turn, now or later; whoever was called ends its turn with
  /// ``leave()``.
  func enter(_ body: @escaping () -> Void) {
    guard isTaken else {
      isTaken = true
      return body()
    }
    waiting.append(body)
  }

  /// Ends the turn and lets the next one have it.
  func leave() {
    guard !waiting.isEmpty else {
      isTaken = false
      return
    }
    waiting.removeFirst()()
  }
}
