import LocalAuthCore

/// A handle for cancelling a timer of an ``EventLoop``.
public struct TimerToken: Hashable, Sendable {
  let number: UInt64
}

/// A binary heap of timers by deadline; equal deadlines keep the order of scheduling.
struct TimerQueue {
  private struct Entry {
    let deadline: BootInstant
    let number: UInt64

    static func < (left: Self, right: Self) -> Bool {
      left.deadline == right.deadline
        ? left.number < right.number : left.deadline < right.deadline
    }
  }

  private var heap: [Entry] = []
  /// The bodies of timers that have neither run nor been cancelled; an entry without one is stale.
  private var bodies: [UInt64: () -> Void] = [:]
  private var lastNumber: UInt64 = 0

  /// The number of pending timers.
  var count: Int { bodies.count }

  mutating func schedule(at deadline: BootInstant, _ body: @escaping () -> Void) -> TimerToken {
    lastNumber += 1
    bodies[lastNumber] = body
    heap.append(Entry(deadline: deadline, number: lastNumber))
    siftUp(heap.count - 1)
    return TimerToken(number: lastNumber)
  }

  /// Cancels a timer; cancelling one that has run or was cancelled is allowed.
  mutating func cancel(_ token: TimerToken) {
    guard bodies.removeValue(forKey: token.number) != nil else { return }
    // Stale entries are dropped at the top of the heap, or all at once if they outnumber the
    // others.
    guard heap.count > 2 * bodies.count + 64 else { return }
    heap.removeAll { bodies[$0.number] == nil }
    for index in stride(from: heap.count / 2 - 1, through: 0, by: -1) { siftDown(index) }
  }

  /// The deadline of the next timer.
  mutating func nextDeadline() -> BootInstant? {
    dropStale()
    return heap.first?.deadline
  }

  /// The timer that was scheduled last.
  var newest: TimerToken { TimerToken(number: lastNumber) }

  /// Removes the first timer that is due at `now` and returns its body.
  ///
  /// Timers scheduled after `newest` wait for the next round, so that a timer that reschedules
  /// itself for now cannot starve everything else.
  mutating func takeDue(at now: BootInstant, through newest: TimerToken) -> (() -> Void)? {
    dropStale()
    guard let first = heap.first, first.deadline <= now, first.number <= newest.number else {
      return nil
    }
    removeFirst()
    return bodies.removeValue(forKey: first.number)
  }

  private mutating func dropStale() {
    while let first = heap.first, bodies[first.number] == nil { removeFirst() }
  }

  private mutating func removeFirst() {
    heap.swapAt(0, heap.count - 1)
    heap.removeLast()
    siftDown(0)
  }

  private mutating func siftUp(_ start: Int) {
    var index = start
    while index > 0, heap[index] < heap[(index - 1) / 2] {
      heap.swapAt(index, (index - 1) / 2)
      index = (index - 1) / 2
    }
  }

  private mutating func siftDown(_ start: Int) {
    var index = start
    while true {
      var smallest = index
      for child in [2 * index + 1, 2 * index + 2]
      where child < heap.count && heap[child] < heap[smallest] {
        smallest = child
      }
      guard smallest != index else { return }
      heap.swapAt(index, smallest)
      index = smallest
    }
  }
}
