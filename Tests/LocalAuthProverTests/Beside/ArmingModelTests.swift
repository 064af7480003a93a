import LocalAuthCore
import Testing

@testable import LocalAuthProver

/// Whatever a program says, in whatever order: every situation that there is.
@Suite struct ArmingModelTests {
  @Test func everySituationHolds() {
    var exploration = SmallExploration(ArmingModel())
    exploration.run(states: 100_000)
    #expect(exploration.isExhausted)
    #expect(exploration.violations.map(\.trace) == [])
    for property in ArmingProperty.allCases {
      #expect(exploration.premises[property] != nil, "\(property.name)")
    }
    // As many words as are heard, and one too many.
    #expect(exploration.depth > Arming.wordsMax)
  }
}
