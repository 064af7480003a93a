import LocalAuthCore
import LocalAuthSensor
import Testing

@Suite struct SensorLockoutTests {
  static let on = [
    "lockout-enable": "true", "lockout-timed-threshold": "2", "lockout-timed-duration": "10s",
    "lockout-permanent-threshold": "4",
  ]

  @Test func countsNothingUnlessSet() throws {
    var rig = try SensorRig()
    _ = rig.arm()
    for _ in 1...30 { #expect(rig.judge(.miss) == .miss) }
    #expect(rig.sensor.standing(at: rig.now) == .open(attemptsLeft: nil))
  }

  @Test func locksForATimeFromItsThreshold() throws {
    var rig = try SensorRig([.rightIndex], Self.on)
    _ = rig.arm()
    _ = rig.judge(.miss)
    #expect(rig.sensor.standing(at: rig.now) == .open(attemptsLeft: 3))
    _ = rig.judge(.miss)
    let response = rig.sensor.present(.match, at: rig.now, using: &rig.random)
    #expect(response == .lockedOut(retryAfter: .seconds(10)))
    #expect(rig.sensor.operation == nil)
    #expect(rig.arm() == .lockedOut(retryAfter: .seconds(10)))
    rig.now = moment(104)
    #expect(rig.arm() == .lockedOut(retryAfter: .seconds(6)))
    rig.now = moment(110)
    #expect(rig.arm() == .ready(liftFinger: false))
  }

  @Test func locksAgainAtEveryMissPastItsThreshold() throws {
    var rig = try SensorRig([.rightIndex], Self.on)
    _ = rig.arm()
    _ = rig.judge(.miss)
    _ = rig.judge(.miss)
    rig.now = moment(200)
    _ = rig.arm()
    _ = rig.judge(.miss)
    #expect(rig.sensor.standing(at: rig.now) == .refused(.seconds(10)))
  }

  @Test func locksUntilThePasscodeAtItsSecondThreshold() throws {
    var rig = try SensorRig([.rightIndex], Self.on)
    for time in 1...4 as ClosedRange<Int64> {
      rig.now = moment(time * 1000)
      _ = rig.arm()
      _ = rig.judge(.miss)
      _ = rig.sensor.disarm(for: evaluation)
    }
    rig.now = moment(1_000_000)
    #expect(rig.arm() == .lockedOut(retryAfter: nil))
    rig.sensor.passcodeProven()
    #expect(rig.arm() == .ready(liftFinger: false))
    #expect(rig.sensor.standing(at: rig.now) == .open(attemptsLeft: 4))
  }

  @Test func forgetsItsCountAtAMatch() throws {
    var rig = try SensorRig([.rightIndex], Self.on)
    _ = rig.arm()
    _ = rig.judge(.miss)
    _ = rig.judge(.match)
    #expect(rig.sensor.standing(at: rig.now) == .open(attemptsLeft: 4))
  }

  @Test func locksWhenForced() throws {
    var rig = try SensorRig()
    _ = rig.arm()
    #expect(rig.sensor.lock() == .lockedOut(.evaluation(evaluation), retryAfter: nil))
    #expect(rig.arm() == .lockedOut(retryAfter: nil))
    rig.sensor.passcodeProven()
    #expect(!rig.sensor.settings.isLockedOut)
    #expect(rig.arm() == .ready(liftFinger: false))
  }

  @Test func locksForATimeWhenForcedTo() throws {
    var rig = try SensorRig()
    let lock = rig.sensor.lockTimed(at: rig.now)
    #expect(lock == .none)
    #expect(rig.arm() == .lockedOut(retryAfter: .seconds(10)))
    rig.now = moment(111)
    #expect(rig.arm() == .ready(liftFinger: false))
  }

  @Test func startsATimedLockOverAfterAReboot() throws {
    var rig = try SensorRig()
    _ = rig.sensor.lockTimed(at: rig.now)
    rig.now = moment(105)
    rig.now.bootID.generation += 1
    #expect(rig.arm() == .lockedOut(retryAfter: .seconds(10)))
  }

  @Test func judgesNothingThatWasCapturedBeforeALock() throws {
    var rig = try SensorRig()
    _ = rig.arm()
    guard case .captured(let capture, _) = rig.read(.match) else {
      Issue.record("nothing was captured")
      return
    }
    _ = rig.sensor.lockTimed(at: rig.now)
    #expect(rig.sensor.judge(capture, at: rig.now) == .stale)
  }
}
