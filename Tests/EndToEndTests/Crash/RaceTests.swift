import LocalAuthJSON
import LocalAuthUnix
import Testing

/// Many clients at one device gain no attempt over one client.
@Suite struct RaceTests {
  private let scratch = Scratch()
  private let daemon: DaemonProcess
  private let clients = 32

  init() throws { daemon = try DaemonProcess(home: scratch.file("home")) }

  @Test func threeMissesAreJudgedHoweverManyRace() throws {
    try daemon.connect().create("sim")
    let start = StartingLine(clients)
    let results = try concurrently(clients) { [daemon] _ in
      let client = try daemon.connect()
      start.wait()
      return try client.evaluate(on: "sim", script: "miss,miss,miss,miss")
    }
    #expect(results.allSatisfy { $0.outcome == "biometryLockout" })
    #expect(results.reduce(0) { $0 + $1.attempts } == StrikeBook.locksAt)
    try expectAudit(StrikeBook.locksAt, evaluations: clients)
  }

  @Test func threeMissesAreJudgedHoweverManyTouch() throws {
    let watcher = try daemon.connect()
    try watcher.create("sim")
    _ = try watcher.beginEvaluation(on: "sim")
    let start = StartingLine(clients)
    let effects = try concurrently(clients) { [daemon] _ in
      let client = try daemon.connect()
      start.wait()
      // A finger that is not enrolled.
      return try client.call(
        Interface.sensor + "Touch",
        ["device": "sim", "finger": "left-thumb"]
      )
    }
    let judged = effects.count { $0.parameters["effect"]?.string == "miss" }
    let state = try daemon.connect().status("sim")
    #expect(judged <= StrikeBook.locksAt)
    #expect(StrikeBook.locksAt - (state.attemptsLeft ?? 0) == judged)
  }

  @Test func passcodesAreThrottledHoweverManyRace() throws {
    try daemon.connect().create("sim", passcode: "1234")
    let start = StartingLine(clients)
    let replies = try concurrently(clients) { [daemon] index in
      let client = try daemon.connect()
      start.wait()
      return try client.call(
        Interface.devices + "Unlock",
        ["device": "sim", "passcode": .text("\(index)")]
      )
    }
    // Four wrong ones in a row are refused for a minute by the device's table.
    let outcomes = replies.map { $0.parameters["outcome"]?.string }
    #expect(outcomes.count { $0 == "authenticationFailed" } == 4)
    #expect(outcomes.count { $0 == "passcodeThrottled" } == clients - 4)
    #expect(
      replies.filter { $0.parameters["outcome"]?.string == "passcodeThrottled" }
        .allSatisfy { $0.parameters["retryAfterSeconds"]?.integer ?? 0 > 0 }
    )
  }

  @Test func crowdThatIsTooLargeIsToldSo() throws {
    try daemon.connect().create("sim")
    let first = try daemon.connect()
    _ = try first.beginEvaluation(on: "sim")
    let crowd = try (0..<33).map { _ in try daemon.connect() }
    for (place, client) in crowd.prefix(32).enumerated() {
      try client.send(
        Interface.authentication + "Evaluate",
        WireClient.evaluation("biometrics", on: "sim"),
        more: true
      )
      #expect(try client.receive().parameters["queued"]?.integer == place + 1)
    }
    #expect(try crowd[32].evaluate(on: "sim").outcome == "busy")
  }

  /// Judged attempts by the word of the audit.
  private func expectAudit(_ attempts: Int, evaluations: Int) throws {
    let lines = try daemon.connect().audit("sim").filter { $0["action"]?.string == "evaluate" }
    #expect(lines.count == evaluations)
    #expect(lines.reduce(0) { $0 + ($1["attempts"]?.integer ?? 0) } == attempts)
  }
}

/// Lets threads go on only when all have come.
final class StartingLine: Sendable {
  private let barrier: Signal
  private let count: Int
  private let arrived = Signal()

  init(_ count: Int) {
    self.count = count
    barrier = Signal()
    let (barrier, arrived) = (barrier, arrived)
    _ = try? SystemThread(name: "starter's gun") {
      for _ in 0..<count { arrived.wait() }
      for _ in 0..<count { barrier.raise() }
    }
  }

  func wait() {
    arrived.raise()
    barrier.wait()
  }
}
