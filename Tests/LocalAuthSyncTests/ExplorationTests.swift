import Foundation
import LocalAuthTestSupport
import Testing

@testable import LocalAuthSync

/// Every order of events that three devices and a hub can meet, to a depth; and longer lives at random.
///
/// `SYNC_DEPTH`, `SYNC_LIES`, `SYNC_ALPHABET` and `SYNC_LIVES` ask for more, as `make nightly` does.
@Suite(.serialized) struct ExplorationTests {
  private static func setting(_ name: String, _ usual: Int) -> Int {
    ProcessInfo.processInfo.environment[name].flatMap { Int($0) } ?? usual
  }

  private static let alphabet =
    ProcessInfo.processInfo.environment["SYNC_ALPHABET"].flatMap { Event.Alphabet(rawValue: $0) }
    ?? .all

  @Test(arguments: ModelOrder.allCases)
  func everyOrderOfEventsKeepsTheProperties(order: ModelOrder) {
    let depth = Self.setting("SYNC_DEPTH", 3)
    var search = Search(
      order,
      Self.alphabet,
      depth: depth,
      liesUpTo: min(depth, Self.setting("SYNC_LIES", 3))
    )
    search.run()
    print(search.report)
    for violation in search.violations.prefix(3) {
      Issue.record("\(violation.fault) after \(violation.trace)")
    }
    guard Self.alphabet == .all else { return }
    for property in Property.allCases {
      #expect(search.premises[property] > 0, "\(property) was never at risk")
    }
  }

  @Test func longLivesKeepTheProperties() {
    let lives = Self.setting("SYNC_LIVES", 150)
    var random = SeededGenerator.ofThisRun
    var premises = Premises()
    for _ in 0..<lives {
      var world = World(Bool.random(using: &random) ? .ascending : .descending)
      var trace: [Event] = []
      do {
        for _ in 0..<30 {
          // Removals are rare, or most lives were those of one device.
          let possible = Event.all.filter { world.isPossible($0) && !isRemoval($0, trace) }
          guard let event = possible.randomElement(using: &random) else { break }
          trace.append(event)
          try world.apply(event)
          try world.checkStep()
        }
        try world.checkSettled(&premises)
        _ = try world.checkLies(&premises)
      } catch {
        Issue.record("\(error) after \(trace), seed \(random.seed)")
        return
      }
    }
    print("\(lives) lives: \(premises.text)")
  }

  private func isRemoval(_ event: Event, _ trace: [Event]) -> Bool {
    guard case .remove = event else { return false }
    return trace.count < 20
  }
}
