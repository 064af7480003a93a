import Testing

@testable import LocalAuthProver

/// What is claimed of a small model was explored, and a trace to what is broken has no event too many.
@Suite struct SmallExplorationTests {
  /// A counter that one event raises and one sets back, and that must not come to its limit.
  private struct Counter: SmallModel {
    enum Event: String, CustomStringConvertible {
      case up
      case back
      var description: String { rawValue }
    }
    enum Property: StatedProperty {
      case staysBelow
      var name: String { "stays-below" }
      var sentence: String { "It stays below its limit." }
    }

    let highest: Int
    var limit = 5
    var count = 0
    var name: String { "counter" }
    var events: [Event] { count < highest ? [.up, .back] : [.back] }

    mutating func apply(_ event: Event) -> Witnessed<Property> {
      count = event == .up ? count + 1 : 0
      return Witnessed()
    }

    func inspect() -> Witnessed<Property> {
      var seen = Witnessed<Property>()
      if count == limit - 1 || count >= limit { seen.check(.staysBelow, count < limit) }
      return seen
    }
  }

  private func explored(_ counter: Counter, states: Int = 100) -> SmallExploration<Counter> {
    var exploration = SmallExploration(counter)
    exploration.run(states: states)
    return exploration
  }

  @Test func everySituationIsFoundOnce() {
    let all = explored(Counter(highest: 4))
    #expect(all.isExhausted && all.violations.isEmpty)
    #expect(all.states == 5 && all.transitions == 9 && all.depth == 5)
    #expect(all.premises == [.staysBelow: 1])
  }

  @Test func aDepthThatTheBoundCutsOffIsNotClaimed() {
    let some = explored(Counter(highest: 9, limit: 99), states: 3)
    #expect(some.states == 3 && some.depth == 2 && !some.isExhausted)
  }

  @Test func theFewestEventsLeadToWhatIsBroken() {
    let broken = explored(Counter(highest: 9))
    #expect(broken.violations.map(\.property) == [.staysBelow])
    #expect(broken.violations.first?.trace == Array(repeating: .up, count: 5))
    #expect(broken.depth == 5, "the level in which it is broken is complete")
  }

  @Test func itStopsWhenItIsTold() {
    var exploration = SmallExploration(Counter(highest: 9, limit: 99))
    exploration.run(states: 100) { $0 < 4 }
    #expect(exploration.states == 4 && !exploration.isExhausted)
  }
}
