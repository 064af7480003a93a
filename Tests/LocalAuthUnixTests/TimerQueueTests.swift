import LocalAuthCore
import LocalAuthTestSupport
import Testing

@testable import LocalAuthUnix

@Suite struct TimerQueueTests {
  private func at(_ nanoseconds: Int64) -> BootInstant { BootInstant(nanoseconds: nanoseconds) }

  @Test func agreesWithASortedListUnderRandomUse() {
    let seed = TestSeed.value
    var generator = SeededGenerator(seed: seed)
    var queue = TimerQueue()
    var model: [(deadline: Int64, order: Int, token: TimerToken)] = []
    var ran: [Int] = []
    var expected: [Int] = []
    var now: Int64 = 0
    for order in 0..<5000 {
      switch Int.random(in: 0..<10, using: &generator) {
      case 0..<6:
        let deadline = now + Int64.random(in: 0...50, using: &generator)
        let token = queue.schedule(at: at(deadline)) { ran.append(order) }
        model.append((deadline, order, token))
      case 6..<9:
        guard let victim = model.indices.randomElement(using: &generator) else { continue }
        queue.cancel(model.remove(at: victim).token)
      default:
        now += Int64.random(in: 0...20, using: &generator)
        let due = model.filter { $0.deadline <= now }
        expected += due.sorted { ($0.deadline, $0.order) < ($1.deadline, $1.order) }.map(\.order)
        model.removeAll { $0.deadline <= now }
        let newest = queue.newest
        while let body = queue.takeDue(at: at(now), through: newest) { body() }
      }
      #expect(queue.count == model.count, "seed \(seed)")
      #expect(
        queue.nextDeadline() == model.map(\.deadline).min().map { at($0) },
        "seed \(seed)"
      )
    }
    #expect(ran == expected, "seed \(seed)")
  }

  @Test func equalDeadlinesKeepTheirOrder() {
    var queue = TimerQueue()
    var ran: [Int] = []
    for number in 0..<100 { _ = queue.schedule(at: at(5)) { ran.append(number) } }
    let newest = queue.newest
    while let body = queue.takeDue(at: at(5), through: newest) { body() }
    #expect(ran == Array(0..<100))
  }

  @Test func nothingIsDueEarly() {
    var queue = TimerQueue()
    _ = queue.schedule(at: at(5)) {}
    #expect(queue.takeDue(at: at(4), through: queue.newest) == nil)
    #expect(queue.nextDeadline() == at(5))
  }

  @Test func cancellingTwiceOrAfterTheRunDoesNothing() {
    var queue = TimerQueue()
    let token = queue.schedule(at: at(1)) {}
    let other = queue.schedule(at: at(2)) {}
    queue.cancel(token)
    queue.cancel(token)
    #expect(queue.count == 1)
    #expect(queue.takeDue(at: at(2), through: queue.newest) != nil)
    queue.cancel(other)
    #expect(queue.count == 0)
    #expect(queue.nextDeadline() == nil)
  }
}
