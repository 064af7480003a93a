/// A question that is asked once at a time: whoever asks while an answer is awaited gets that of the
/// next time, so that a flood of changes is two questions.
final class SingleFlight {
  private let ask: (_ answered: @escaping () -> Void) -> Void
  private var isUnderWay = false
  private var waiting: [() -> Void] = []

  init(_ ask: @escaping (_ answered: @escaping () -> Void) -> Void) { self.ask = ask }

  /// Asks, and calls `body` once that is answered.
  func run(then body: @escaping () -> Void) {
    guard !isUnderWay else { return waiting.append(body) }
    isUnderWay = true
    ask { [self] in
      isUnderWay = false
      body()
      let bodies = waiting
      waiting = []
      if !bodies.isEmpty { run { for body in bodies { body() } } }
    }
  }
}
