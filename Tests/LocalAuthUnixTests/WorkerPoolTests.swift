import Glibc
import Synchronization
import Testing

@testable import LocalAuthUnix

/// Holds threads back until it is opened.
private final class Gate: Sendable {
  private let isOpen = Atomic(false)

  func open() { isOpen.store(true, ordering: .releasing) }

  func wait() {
    while !isOpen.load(ordering: .acquiring) { sched_yield() }
  }
}

@Suite struct WorkerPoolTests {
  @Test func oneThreadRunsJobsInTheOrderOfSubmission() throws {
    let pool = try WorkerPool(name: "serial", threads: 1, queueLimit: 5000)
    let ran = Mutex<[Int]>([])
    for number in 0..<5000 {
      #expect(pool.submit { ran.withLock { $0.append(number) } })
    }
    pool.shutdown()
    #expect(ran.withLock { $0 } == Array(0..<5000))
  }

  @Test func usersTakeTurns() throws {
    let pool = try WorkerPool(name: "fair", threads: 1)
    let gate = Gate()
    let ran = Mutex<[UInt32]>([])
    _ = pool.submit { gate.wait() }
    for _ in 0..<50 { _ = pool.submit(for: 7) { ran.withLock { $0.append(7) } } }
    for user: UInt32 in [8, 9, 8] {
      _ = pool.submit(for: user) { ran.withLock { $0.append(user) } }
    }
    gate.open()
    pool.shutdown()
    // Whoever came after fifty jobs of another waits for one of them.
    #expect(ran.withLock { Array($0.prefix(6)) } == [7, 8, 9, 7, 8, 7])
    #expect(ran.withLock { $0.count } == 53)
  }

  @Test func resultsComeBackToTheLoop() throws {
    let loop = try EventLoop()
    let handle = loop.handle
    let pool = try WorkerPool(name: "slow", threads: 3)
    let answers = Mutex<[Int]>([])
    for number in 1...100 {
      _ = pool.submit {
        let square = number * number
        handle.post {
          #expect(handle.isCurrent)
          answers.withLock { $0.append(square) }
        }
      }
    }
    try loop.run { answers.withLock { $0.count } == 100 }
    #expect(answers.withLock { $0.sorted() } == (1...100).map { $0 * $0 })
    pool.shutdown()
  }

  @Test func allThreadsWorkAtOnce() throws {
    let pool = try WorkerPool(name: "slow", threads: 4)
    let arrived = Atomic(0)
    for _ in 0..<4 {
      _ = pool.submit {
        arrived.add(1, ordering: .acquiringAndReleasing)
        while arrived.load(ordering: .acquiring) < 4 { sched_yield() }
      }
    }
    pool.shutdown()
    #expect(arrived.load(ordering: .acquiring) == 4)
  }

  @Test func aFullQueueRefusesAJobThatThenNeverRuns() throws {
    let pool = try WorkerPool(name: "full", threads: 1, queueLimit: 3)
    let gate = Gate()
    let started = Gate()
    let ran = Atomic(0)
    #expect(
      pool.submit {
        started.open()
        gate.wait()
      }
    )
    started.wait()
    let answers = (0..<5).map { _ in pool.submit { ran.add(1, ordering: .relaxed) } }
    #expect(answers == [true, true, true, false, false])
    gate.open()
    pool.shutdown()
    #expect(ran.load(ordering: .relaxed) == 3)
  }

  @Test func aUsersBacklogLeavesRoomForOthers() throws {
    let pool = try WorkerPool(name: "shares", threads: 1, queueLimit: 4, userLimit: 3)
    let gate = Gate()
    let started = Gate()
    #expect(
      pool.submit {
        started.open()
        gate.wait()
      }
    )
    started.wait()
    let ran = Mutex<[UInt32]>([])
    let answers = [UInt32](arrayLiteral: 7, 7, 7, 7, 8, 8, 9, 9, 7).map { user in
      pool.submit(for: user) { ran.withLock { $0.append(user) } }
    }
    // Three of one user's wait and one of another's: with that it is full for both, and for nobody else.
    #expect(answers == [true, true, true, false, true, false, true, false, false])
    gate.open()
    pool.shutdown()
    #expect(ran.withLock { $0 } == [7, 8, 9, 7, 7])
  }

  @Test func shutdownRunsWhatWaitsAndTakesNothingMore() throws {
    let pool = try WorkerPool(name: "end", threads: 2)
    let ran = Atomic(0)
    for _ in 0..<200 { _ = pool.submit { ran.add(1, ordering: .relaxed) } }
    pool.shutdown()
    #expect(ran.load(ordering: .relaxed) == 200)
    #expect(!pool.submit { ran.add(1, ordering: .relaxed) })
    pool.shutdown()
    #expect(ran.load(ordering: .relaxed) == 200)
  }

  @Test func aPoolThatIsDroppedStillRunsWhatWaits() throws {
    let loop = try EventLoop()
    let handle = loop.handle
    let ran = Atomic(0)
    do {
      let pool = try WorkerPool(name: "gone", threads: 2)
      for _ in 0..<100 {
        _ = pool.submit { handle.post { ran.add(1, ordering: .relaxed) } }
      }
    }
    try loop.run { ran.load(ordering: .relaxed) == 100 }
  }

  @Test func manyThreadsMaySubmit() throws {
    let pool = try WorkerPool(name: "busy", threads: 2, queueLimit: 100_000)
    let ran = Atomic(0)
    let threads = try (0..<8).map { _ in
      try SystemThread(name: "submit") {
        for _ in 0..<1000 { _ = pool.submit { ran.add(1, ordering: .relaxed) } }
      }
    }
    for thread in threads { thread.join() }
    pool.shutdown()
    #expect(ran.load(ordering: .relaxed) == 8000)
  }
}
