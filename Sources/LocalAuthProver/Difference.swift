public import LocalAuthCore

/// A shortest run of events that ends otherwise under two setups.
///
/// One person at one device, with everything that an event sets off completed before the next: what is
/// found can be played as commands. A run is compared when both have answered, or neither asks.
public struct Difference: Sendable {
  /// The events, from a fresh device on.
  public let trace: [Event]
  /// How the last evaluation ended under the first setup, and under the second.
  public let outcomes: (OutcomeCode, OutcomeCode)
  /// The situations that were compared.
  public let states: Int

  private struct Pair {
    var left: Scene
    var right: Scene
    var answers: [OutcomeCode?] = [nil, nil]
    var trace: [Event] = []

    var fingerprint: Int {
      var hasher = Hasher()
      hasher.combine(left.world)
      hasher.combine(right.world)
      hasher.combine(answers)
      return hasher.finalize()
    }

    var isQuiet: Bool { left.world.sessions.isEmpty && right.world.sessions.isEmpty }

    var outcomes: (OutcomeCode, OutcomeCode)? {
      guard isQuiet, let first = answers[0], let second = answers[1] else { return nil }
      return (first, second)
    }

    /// What one of both can meet, of what a script can play.
    var events: [Event] {
      let open = [left, right].filter { $0.world.session(of: .first) != nil }
      let sides = (open.isEmpty ? [left, right] : open).map { $0.events(.calm) }
      let all = sides[0] + sides.dropFirst().joined().filter { !sides[0].contains($0) }
      return all.filter { event in
        // A script would wait at an event that nobody asks for.
        guard open.isEmpty || sides.allSatisfy({ $0.contains(event) }) else { return false }
        return isPlayable(event)
      }
    }

    private func isPlayable(_ event: Event) -> Bool {
      switch event {
      case .request(.first, let request): isQuiet && request == Request()
      case .touch, .passcode, .fallback, .cancel(.first): true
      case .reboot: isQuiet
      // Real time goes on beside a simulated clock, so nothing may hang on a millisecond.
      case .pass(let time): isQuiet && time.components.attoseconds == 0
      case .request(.second, _), .cancel(.second), .fault, .commit, .verdict, .refusal, .settle,
        .act, .lock, .revoke, .wall, .crash:
        false
      }
    }

    mutating func apply(_ event: Event) {
      if case .request = event { answers = [nil, nil] }
      trace.append(event)
      left.apply(event)
      note(left, 0)
      left.apply(.settle)
      note(left, 0)
      right.apply(event)
      note(right, 1)
      right.apply(.settle)
      note(right, 1)
    }

    private mutating func note(_ scene: Scene, _ side: Int) {
      if let answer = scene.world.answers.last { answers[side] = answer.outcome.code }
    }
  }

  /// A shortest run that ends otherwise under `left` than under `right`, within `bounds`; nil when
  /// there is none, with the situations that were compared.
  public static func find(
    _ left: Setup,
    _ right: Setup,
    _ bounds: Bounds
  ) -> (difference: Difference?, states: Int) {
    let start = Pair(left: Scene(left, World()), right: Scene(right, World()))
    var known: Set<Int> = [start.fingerprint]
    var level = [start]
    for _ in 0..<bounds.depth where !level.isEmpty && known.count < bounds.states {
      var next: [Pair] = []
      for pair in level where known.count < bounds.states {
        for event in pair.events {
          var successor = pair
          successor.apply(event)
          guard known.insert(successor.fingerprint).inserted else { continue }
          if let outcomes = successor.outcomes, outcomes.0 != outcomes.1 {
            let found = Difference(
              trace: successor.trace,
              outcomes: outcomes,
              states: known.count
            )
            return (found, known.count)
          }
          next.append(successor)
        }
      }
      level = next
    }
    return (nil, known.count)
  }
}
