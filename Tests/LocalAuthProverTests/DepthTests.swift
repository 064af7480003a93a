import LocalAuthCore
import Testing

@testable import LocalAuthProver

/// A depth is claimed only when it was explored whole, and the number of threads changes nothing.
@Suite struct DepthTests {
  /// Explores with every batch split into so many parts, as so many threads would.
  private func explored(_ setup: Setup, _ bounds: Bounds, _ pace: Pace, parts: Int) -> Exploration {
    var exploration = Exploration(setup, bounds, pace)
    while let batch = exploration.take() {
      let size = (batch.count + parts - 1) / parts
      let slices = stride(from: batch.lowerBound, to: batch.upperBound, by: size).map {
        exploration.expand($0..<min($0 + size, batch.upperBound))
      }
      for slice in slices { exploration.merge(slice) }
    }
    return exploration
  }

  @Test(arguments: Pace.allCases) func theResultDoesNotDependOnTheNumberOfParts(
    _ pace: Pace
  ) throws {
    let setup = try Setup.shipped("device-owner")
    let bounds = Bounds(states: 6000)
    let one = explored(setup, bounds, pace, parts: 1)
    for parts in [2, 3, 8] {
      let many = explored(setup, bounds, pace, parts: parts)
      #expect(many.states == one.states && many.transitions == one.transitions)
      #expect(many.depth == one.depth && many.isExhausted == one.isExhausted)
      #expect(many.premises == one.premises)
    }
  }

  @Test(arguments: Pace.allCases, [1, 8])
  func aDepthThatTheBoundCutsOffIsNotClaimed(_ pace: Pace, _ parts: Int) throws {
    let setup = try Setup.shipped("device-owner")
    let whole = explored(setup, Bounds(depth: 2), pace, parts: parts)
    #expect(whole.depth == 2)
    let cut = explored(setup, Bounds(states: whole.states - 1), pace, parts: parts)
    #expect(cut.depth == 1)
    let same = explored(setup, Bounds(states: whole.states), pace, parts: parts)
    #expect(same.depth == 2, "nothing of the second level was left out")
  }

  @Test func whatTheBoundLeavesOutIsTestedAllTheSame() throws {
    // The last thing that is found breaks a property, and the bound has room for nothing.
    let setup = try Setup.shipped("device-owner")
    var exploration = Exploration(setup, Bounds(depth: 3, states: 1_000_000), .calm)
    let first = exploration.take()
    let batch = try #require(first)
    var part = exploration.expand(batch)
    part.found[part.found.count - 1].violated = .oneAnswer
    exploration = Exploration(setup, Bounds(states: exploration.states), .calm)
    _ = exploration.take()
    exploration.merge(part)
    #expect(exploration.violations.map(\.property) == [.oneAnswer])
  }
}
