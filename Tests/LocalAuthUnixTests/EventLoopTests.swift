import Glibc
import LocalAuthCore
import LocalAuthTestSupport
import Synchronization
import Testing

@testable import LocalAuthUnix

@Suite struct EventLoopTests {
  private let past = BootInstant(nanoseconds: 1)

  @Test func reportsWhatADescriptorIsReadyFor() throws {
    let loop = try EventLoop()
    let pair = try StreamPair()
    let number = pair.near.rawValue
    var seen: [Readiness] = []
    try loop.add(number, interest: .writable) { seen.append($0) }
    try loop.run { !seen.isEmpty }
    #expect(seen == [.writable])
    loop.remove(number)
    try loop.settle()
    #expect(seen.count == 1)
  }

  @Test func anEmptyInterestStillHearsTheHangUp() throws {
    let loop = try EventLoop()
    let (near, peer) = try StreamPair().take()
    let owner = FileDescriptor(owning: near)
    var seen: Readiness = []
    try loop.add(near, interest: .readable) { seen.formUnion($0) }
    try loop.modify(near, interest: [])
    peer.sendFrame("hello")
    try loop.settle()
    #expect(seen == [])
    peer.close()
    try loop.run { !seen.isEmpty }
    #expect(seen == .hungUp)
    loop.remove(owner.rawValue)
  }

  @Test func timersRunInTheOrderOfTheirDeadlines() throws {
    let seed = TestSeed.value
    var generator = SeededGenerator(seed: seed)
    let loop = try EventLoop()
    var ran: [Int64] = []
    for deadline in (1...200).map({ Int64($0 / 2) }).shuffled(using: &generator) {
      _ = loop.schedule(at: BootInstant(nanoseconds: deadline)) { ran.append(deadline) }
    }
    try loop.run { ran.count == 200 }
    #expect(ran == ran.sorted(), "seed \(seed)")
    #expect(loop.timerCount == 0)
  }

  @Test func aTimerRunsOnlyOnceItsDeadlineHasPassed() throws {
    let loop = try EventLoop()
    let deadline = SystemClock.bootNow() + .milliseconds(3)
    var ranAt: BootInstant?
    _ = loop.schedule(at: deadline) { ranAt = SystemClock.bootNow() }
    try loop.run { ranAt != nil }
    #expect(try #require(ranAt) >= deadline)
  }

  @Test func anEarlierTimerOvertakesTheOneTheKernelWaitsFor() throws {
    let loop = try EventLoop()
    let now = SystemClock.bootNow()
    var ran: [String] = []
    let late = loop.schedule(at: now + .seconds(3600)) { ran.append("late") }
    try loop.settle()
    _ = loop.schedule(at: now + .milliseconds(1)) { ran.append("early") }
    try loop.run { !ran.isEmpty }
    #expect(ran == ["early"])
    loop.cancel(late)
    #expect(loop.timerCount == 0)
  }

  @Test func aCancelledTimerNeverRunsEvenWhenDue() throws {
    let loop = try EventLoop()
    var ran: [String] = []
    var second: TimerToken?
    _ = loop.schedule(at: past) {
      ran.append("first")
      if let second { loop.cancel(second) }
    }
    second = loop.schedule(at: past) { ran.append("second") }
    _ = loop.schedule(at: past) { ran.append("third") }
    try loop.run { ran.count == 2 }
    try loop.settle()
    #expect(ran == ["first", "third"])
  }

  @Test func aTimerThatRepeatsAtOnceHoldsUpNobody() throws {
    let loop = try EventLoop()
    let pair = try StreamPair()
    var repeats = 0
    var isServed = false
    func again() {
      repeats += 1
      if !isServed { _ = loop.schedule(at: past) { again() } }
    }
    _ = loop.schedule(at: past) { again() }
    try loop.add(pair.near.rawValue, interest: .writable) { _ in isServed = true }
    try loop.run { isServed }
    #expect(repeats <= 2)
    loop.remove(pair.near.rawValue)
  }

  @Test func postsFromManyThreadsAllArriveInTheirOrder() throws {
    let loop = try EventLoop()
    let handle = loop.handle
    let perThread = 2000
    let seen = Mutex([[Int]](repeating: [], count: 8))
    let total = Atomic(0)
    let threads = try (0..<8).map { thread in
      try SystemThread(name: "post") {
        for number in 0..<perThread {
          handle.post {
            seen.withLock { $0[thread].append(number) }
            total.add(1, ordering: .relaxed)
          }
        }
      }
    }
    // The loop sleeps and wakes while they post; a lost wake-up would leave it asleep.
    try loop.run { total.load(ordering: .relaxed) == 8 * perThread }
    for thread in threads { thread.join() }
    for numbers in seen.withLock({ $0 }) { #expect(numbers == Array(0..<perThread)) }
  }

  @Test func eachPostWakesASleepingLoop() throws {
    let loop = try EventLoop()
    let handle = loop.handle
    let turn = Atomic(0)
    // Ping-pong: the thread posts again only when the loop has run the last body and may sleep.
    let thread = try SystemThread(name: "ping") {
      for number in 1...500 {
        handle.post { turn.store(number, ordering: .releasing) }
        while turn.load(ordering: .acquiring) != number { sched_yield() }
      }
    }
    try loop.run { turn.load(ordering: .acquiring) == 500 }
    thread.join()
  }

  @Test func aBodyPostedByABodyRunsToo() throws {
    let loop = try EventLoop()
    let handle = loop.handle
    let depth = Atomic(0)
    @Sendable func descend() {
      if depth.add(1, ordering: .relaxed).newValue < 10 { handle.post { descend() } }
    }
    handle.post { descend() }
    try loop.run { depth.load(ordering: .relaxed) == 10 }
  }

  @Test func postsForALoopThatIsGoneAreDropped() throws {
    final class Witness: Sendable {}
    var loop: EventLoop? = try EventLoop()
    let handle = try #require(loop?.handle)
    weak var before: Witness?
    weak var after: Witness?
    do {
      let witness = Witness()
      before = witness
      handle.post { withExtendedLifetime(witness) {} }
    }
    loop = nil
    #expect(before == nil)
    do {
      let witness = Witness()
      after = witness
      handle.post { withExtendedLifetime(witness) {} }
    }
    #expect(after == nil)
  }

  @Test func anotherThreadCanStopTheRun() throws {
    let loop = try EventLoop()
    let handle = loop.handle
    let thread = try SystemThread(name: "stop") { handle.stop() }
    try loop.run()
    thread.join()
  }

  @Test func stoppingFinishesTheTurnAndAllowsAnotherRun() throws {
    let loop = try EventLoop()
    var ran = 0
    for _ in 0..<2 {
      _ = loop.schedule(at: past) {
        loop.stop()
        ran += 1
      }
      _ = loop.schedule(at: past) { ran += 1 }
      try loop.run()
    }
    #expect(ran == 4)
  }

  @Test func aDescriptorRemovedInABatchIsNotReportedAnyMore() throws {
    let loop = try EventLoop()
    let first = try StreamPair()
    let second = try StreamPair()
    let numbers = [first.near.rawValue, second.near.rawValue]
    var reported: [Int32] = []
    for (number, other) in [(numbers[0], numbers[1]), (numbers[1], numbers[0])] {
      try loop.add(number, interest: .writable) { _ in
        reported.append(number)
        loop.remove(other)
      }
    }
    try loop.run { !reported.isEmpty }
    #expect(reported.count == 1)
    for number in numbers { loop.remove(number) }
  }

  @Test func anEventForAClosedDescriptorDoesNotReachTheNextOwnerOfItsNumber() throws {
    let loop = try EventLoop()
    let first = try StreamPair()
    let second = try StreamPair()
    let fresh = try StreamPair()
    let numbers = [first.near.rawValue, second.near.rawValue]
    var reported: [Int32] = []
    var wronglyReported = 0
    for (number, other) in [(numbers[0], numbers[1]), (numbers[1], numbers[0])] {
      try loop.add(number, interest: .writable) { _ in
        reported.append(number)
        guard reported.count == 1 else { return }
        // Both are ready in this batch. The other's number gets a new owner with nothing to read.
        loop.remove(other)
        dup2(fresh.near.rawValue, other)
        try? loop.add(other, interest: .readable) { _ in wronglyReported += 1 }
      }
    }
    try loop.run { !reported.isEmpty }
    #expect(reported.count == 1)
    #expect(wronglyReported == 0)
    for number in numbers { loop.remove(number) }
  }

  @Test func theNextTurnComesAfterTheHandlersOfThisOne() throws {
    let loop = try EventLoop()
    var order: [String] = []
    _ = loop.schedule(at: past) {
      loop.onNextTurn {
        order.append("next")
        loop.onNextTurn { order.append("after next") }
      }
      order.append("first")
    }
    _ = loop.schedule(at: past) { order.append("second") }
    try loop.run { order.count == 4 }
    #expect(order == ["first", "second", "next", "after next"])
  }

  @Test func watchingADescriptorThatIsNotOpenFails() throws {
    let loop = try EventLoop()
    #expect(throws: SystemError("epoll_ctl", code: EBADF)) {
      try loop.add(1_000_000, interest: .readable) { _ in }
    }
  }
}
