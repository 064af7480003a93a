/// Serializes changes of a device's items, first come, first served.
final class MutationQueue {
  /// Each is taken out of its place when its turn comes: a slice keeps what is before its beginning.
  private var waiting: ArraySlice<(() -> Void)?> = []
  private var isTaken = false
  private var isHandingOn = false

  /// Calls `body` once the turn is free, which may be at once; it must end its turn with
  /// ``leave()``.
  func enter(_ body: @escaping () -> Void) {
    guard isTaken || !waiting.isEmpty else {
      isTaken = true
      return body()
    }
    waiting.append(body)
  }

  /// Ends the turn and gives it to the next in line.
  func leave() {
    isTaken = false
    // Who leaves at once is called by the loop that is running: a long line needs no deep stack.
    guard !isHandingOn else { return }
    isHandingOn = true
    defer { isHandingOn = false }
    while !isTaken, !waiting.isEmpty {
      let next = waiting[waiting.startIndex].take()
      waiting = waiting.count > 1 ? waiting.dropFirst() : []
      isTaken = true
      next?()
    }
  }
}
