import Foundation
import LocalAuthTestSupport
import Testing

@testable import LocalAuthSync

/// Every order of events that three devices and a hub can meet.
@Suite(.serialized) struct ExplorationTests {
  /// The depth of the ordinary suite; `SYNC_DEPTH` asks for another, as `make nightly` does.
  private static let depth =
    ProcessInfo.processInfo.environment["SYNC_DEPTH"].flatMap { Int($0) } ?? 4

  private static let lies =
    ProcessInfo.processInfo.environment["SYNC_LIES"].flatMap { Int($0) } ?? 3

  private static let alphabets =
    ProcessInfo.processInfo.environment["SYNC_ALPHABET"].flatMap { Event.Alphabet(rawValue: $0) }
    .map { [$0] } ?? Event.Alphabet.allCases

  @Test(arguments: ModelOrder.allCases, alphabets)
  func everyOrderOfEventsKeepsTheProperties(order: ModelOrder, alphabet: Event.Alphabet) {
    var search = Search(order, alphabet, depth: Self.depth, liesUpTo: Self.lies)
    let began = Date()
    search.run()
    let seconds = Date().timeIntervalSince(began)
    print(
      "\(alphabet.rawValue), \(order.rawValue): \(search.states) states \(search.perLevel), "
        + "\(search.transitions) transitions, \(search.lies) lies, \(seconds) s, \(search.premises.counts)"
    )
    for violation in search.violations.prefix(3) {
      Issue.record("\(violation.fault) after \(violation.trace)")
    }
  }
}
