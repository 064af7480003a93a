import Glibc
import LocalAuthJSON
import LocalAuthTestSupport
import LocalAuthUnix
import Synchronization
import Testing

/// `kill -9` at random moments under load, in one home; `KILLS=1000` makes it a thousand.
@Suite struct RandomKillTests {
  private static let mostAfterTarget = 200

  /// A device, its one client and what that client knows.
  private struct Desk: Sendable {
    var name: String
    var hasPasscode: Bool
    var generator: SeededGenerator
    var book = StrikeBook()
  }

  @Test func noKillGivesAnAttemptBack() throws {
    try KillRun(
      name: "random kills",
      kills: Settings.kills,
      makeDesks: makeDesks,
      check: { desk, client, context in
        try StrikeCheck.check(desk.name, &desk.book, with: client, context)
      },
      repair: repair,
      work: work
    ).run()
  }

  private func makeDesks(
    _ client: WireClient,
    _ generator: inout SeededGenerator
  ) throws -> [Desk] {
    let desks = (0..<6).map { index in
      Desk(
        name: "device-\(index)",
        hasPasscode: index < 2,
        generator: SeededGenerator(seed: generator.next())
      )
    }
    for desk in desks { try client.create(desk.name, passcode: desk.hasPasscode ? "1234" : nil) }
    return desks
  }

  /// Ends what would make every later call a refusal: a passcode that is locked for good.
  private func repair(_ desk: inout Desk, _ client: WireClient) throws {
    guard desk.hasPasscode, desk.book.wrongPasscodes > 6 else { return }
    try client.perform(
      .evaluation("passcode", on: desk.name, "passcode:1234"),
      noting: &desk.book
    )
    if desk.book.wrongPasscodes == StrikeBook.passcodeLocksAt {
      desk.hasPasscode = false
      try client.perform(.erase(desk.name), noting: &desk.book)
      try client.perform(.enroll(desk.name), noting: &desk.book)
    }
  }

  /// Lets every desk work until the daemon is killed after `target` replies.
  private func work(
    _ desks: [Desk],
    _ daemon: DaemonProcess,
    _ target: Int,
    _ generator: inout SeededGenerator
  ) throws -> [Desk] {
    let calls = Atomic(0)
    let spins = generator.next() % 3000
    return try concurrently(desks.count) { index in
      var desk = desks[index]
      let client = try daemon.connect()
      do throws(WireClient.Failure) {
        while true {
          try client.perform(Self.nextCall(&desk), noting: &desk.book)
          let count = calls.add(1, ordering: .relaxed).newValue
          // Who is refused at once would fill more of the audit than one reply has room for, where
          // the kill is slow to come.
          if count > target + Self.mostAfterTarget { _ = try client.receive() }
          guard count == target else { continue }
          // The others are somewhere in the middle of their calls, and get a little further.
          for _ in 0..<spins { sched_yield() }
          daemon.program.signal(SIGKILL)
        }
      } catch {
        return desk
      }
    }
  }

  private static func nextCall(_ desk: inout Desk) -> StrikeBook.Call {
    let name = desk.name
    let number = desk.generator.next() % 100
    if desk.hasPasscode {
      switch number {
      case 0..<12: return .evaluation("passcode", on: name, "passcode:1234")
      case 12..<22: return .evaluation("passcode", on: name, "passcode:0000,cancel")
      default: break
      }
    } else if desk.book.misses == StrikeBook.locksAt {
      return desk.generator.next() % 2 == 0 ? .erase(name) : .enroll(name)
    }
    switch number {
    case 22..<28: return .harmless("AdvanceClock", name, ["milliseconds": 1000])
    case 28..<34 where !desk.hasPasscode: return .harmless("Reboot", name)
    case 34..<40: return .enroll(name)
    case 40..<60: return .evaluation("biometrics", on: name, "miss,cancel")
    case 60..<70: return .evaluation("biometrics", on: name, "miss,miss,cancel")
    case 70..<76: return .evaluation("biometrics", on: name, "miss,miss,miss")
    case 76..<88: return .evaluation("biometrics", on: name, "miss,match")
    default: return .evaluation("biometrics", on: name, "match")
    }
  }
}
