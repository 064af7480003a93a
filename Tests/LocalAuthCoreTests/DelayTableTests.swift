import LocalAuthCore
import Testing

@Suite struct DelayTableTests {
  /// AOSP's GateKeeper: none before 5, 30 s to 29, doubling every ten to 139, then a day.
  private let gatekeeper = DelayTable(rows: [
    .init(from: 5, through: 5, delay: .seconds(30)),
    .init(from: 10, through: 29, delay: .seconds(30)),
    .init(from: 30, through: 139, delay: .seconds(30), doublesEvery: 10),
    .init(from: 140, through: nil, delay: .seconds(86_400)),
  ])

  private func wait(_ table: DelayTable, _ failures: UInt32) -> Duration {
    switch table.refusal(after: failures) {
    case .none: .zero
    case .wait(let length): length
    case .locked: .seconds(Int64.max)
    }
  }

  @Test func anEmptyTableRefusesNothing() {
    for failures in [UInt32(0), 1, 1000, .max] {
      #expect(DelayTable().refusal(after: failures) == .none)
    }
  }

  @Test func locksFromItsCountOn() {
    let table = DelayTable(locksAt: 3)
    #expect(table.refusal(after: 2) == .none)
    for failures in [UInt32(3), 4, .max] { #expect(table.refusal(after: failures) == .locked) }
  }

  @Test func theLockWinsOverARow() {
    let table = DelayTable(
      rows: [.init(from: 1, through: nil, delay: .seconds(9))],
      locksAt: 2
    )
    #expect(table.refusal(after: 1) == .wait(.seconds(9)))
    #expect(table.refusal(after: 2) == .locked)
  }

  @Test func aRowSpeaksOfItsRangeOnly() {
    let table = DelayTable(rows: [.init(from: 4, through: 6, delay: .seconds(1))])
    let refused = (UInt32(0)...10).filter { table.refusal(after: $0) != .none }
    #expect(refused == [4, 5, 6])
  }

  @Test(arguments: [
    (UInt32(4), Int64(0)), (5, 30), (6, 0), (9, 0), (10, 30), (29, 30), (30, 30), (39, 30),
    (40, 60), (49, 60), (50, 120), (129, 15_360), (130, 30_720), (139, 30_720), (140, 86_400),
    (1_000_000, 86_400),
  ])
  func gatekeeperWaits(_ failures: UInt32, _ seconds: Int64) {
    #expect(wait(gatekeeper, failures) == .seconds(seconds))
  }

  @Test(arguments: [
    (UInt32(20), Int64(360)), (50, 1650), (80, 10_890), (100, 42_570), (120, 169_290),
    (139, 614_730),
  ])
  func gatekeeperWaitsAddUp(_ failures: UInt32, _ seconds: Int64) {
    let total = (1...failures).reduce(Duration.zero) { $0 + wait(gatekeeper, $1) }
    #expect(total == .seconds(seconds), "\(total)")
  }

  @Test func aRowNeverGetsShorterAsFailuresGrow() {
    let row = DelayTable(rows: [
      .init(from: 1, through: nil, delay: .seconds(30), doublesEvery: 1)
    ])
    for failures in UInt32(1)...100 { #expect(wait(row, failures + 1) >= wait(row, failures)) }
    #expect(wait(row, .max) >= .seconds(86_400 * 364))
  }

  @Test func extremeNumbersNeitherTrapNorOpen() {
    for delay in [Duration.seconds(Int64.max), .nanoseconds(Int64.max), .nanoseconds(1)] {
      for step in [UInt32(1), 2, .max] {
        for from in [UInt32(0), 1, .max] {
          let table = DelayTable(rows: [
            .init(from: from, through: nil, delay: delay, doublesEvery: step)
          ])
          #expect(wait(table, .max) > .zero)
        }
      }
    }
  }

  @Test func aDoublingStepOfZeroIsNoDoubling() {
    let table = DelayTable(rows: [
      .init(from: 1, through: nil, delay: .seconds(5), doublesEvery: 0)
    ])
    #expect(wait(table, 1000) == .seconds(5))
  }
}
