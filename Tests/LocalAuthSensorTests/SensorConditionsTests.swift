import LocalAuthCore
import LocalAuthSensor
import Testing

@Suite struct SensorConditionsTests {
  @Test func endsWhatIsInCourseWhenUnplugged() throws {
    var rig = try SensorRig()
    _ = rig.arm()
    #expect(rig.sensor.unplug() == .fault(.evaluation(evaluation), .removed))
    #expect(rig.sensor.unplug() == .none)
    #expect(rig.arm() == .refused(.removed))
    rig.sensor.plug()
    #expect(rig.arm() == .ready(liftFinger: false))
  }

  @Test func takesACaptureWithItWhenUnplugged() throws {
    var rig = try SensorRig()
    _ = rig.arm()
    guard case .captured(let capture, _) = rig.read(.match) else {
      Issue.record("nothing was captured")
      return
    }
    _ = rig.sensor.unplug()
    rig.sensor.plug()
    #expect(rig.sensor.judge(capture, at: rig.now) == .stale)
  }

  @Test func endsWhatIsInCourseWhenAnotherProgramTakesIt() throws {
    var rig = try SensorRig()
    _ = rig.arm()
    #expect(rig.sensor.setBusy(true) == .fault(.evaluation(evaluation), .busy))
    #expect(rig.arm() == .refused(.busy))
    #expect(rig.sensor.setBusy(false) == .none)
    #expect(rig.arm() == .ready(liftFinger: false))
  }

  @Test func doesBySettingWhatTheEventDoes() throws {
    for (key, value, expected) in [
      ("plugged", "false", SimulatedSensor.Interruption.fault(.evaluation(evaluation), .removed)),
      ("busy", "true", .fault(.evaluation(evaluation), .busy)),
      ("lockout", "true", .lockedOut(.evaluation(evaluation), retryAfter: nil)),
      ("strength", "weak", .none),
    ] {
      var rig = try SensorRig()
      _ = rig.arm()
      #expect(try rig.sensor.set(key, value) == expected)
    }
  }

  @Test func changesNothingByASettingItRefuses() throws {
    var rig = try SensorRig()
    _ = rig.arm()
    let before = rig.sensor
    #expect(throws: SettingError.badValue(.isPlugged)) { try rig.sensor.set("plugged", "no") }
    #expect(throws: SettingError.unknownKey("speed")) { try rig.sensor.set("speed", "1") }
    #expect(rig.sensor == before)
  }

  @Test func wantsAFingerThatRestsOnItLifted() throws {
    var rig = try SensorRig()
    rig.sensor.fingerDown()
    #expect(rig.arm() == .ready(liftFinger: true))
    let lift = AcquiredSequence(flaw: .removeFinger)
    #expect(rig.read(.match) == .retry(.removeFinger, saying: lift))
    rig.sensor.fingerUp()
    #expect(rig.judge(.match) == .match(.rightIndex, generation: 3))
  }

  @Test func countsAFingerLaidOnItAfterArming() throws {
    var rig = try SensorRig()
    _ = rig.arm()
    rig.sensor.fingerDown()
    #expect(rig.sensor.isFingerDown)
    #expect(rig.judge(.match) == .match(.rightIndex, generation: 3))
  }

  @Test func keepsAnInjectedFaultWhileTheFingerMustBeLifted() throws {
    var rig = try SensorRig([.rightIndex], ["authenticate-error": "next:timeout"])
    rig.sensor.fingerDown()
    _ = rig.arm()
    _ = rig.read(.match)
    rig.sensor.fingerUp()
    #expect(rig.read(.match) == .fault(.timeout))
  }

  @Test func timesOutWhenNobodyTouchesIt() throws {
    var rig = try SensorRig([.rightIndex], ["timeout": "30s"])
    _ = rig.arm()
    let timer = try #require(rig.sensor.timer)
    #expect(timer.after == .seconds(30))
    #expect(rig.sensor.timedOut(timer) == .fault(.evaluation(evaluation), .timeout))
    #expect(rig.sensor.timedOut(timer) == .none)
  }

  @Test func startsTheTimeOutAnewAfterATouch() throws {
    var rig = try SensorRig([.rightIndex], ["timeout": "30s"])
    _ = rig.arm()
    let first = try #require(rig.sensor.timer)
    _ = rig.judge(.miss)
    #expect(rig.sensor.timedOut(first) == .none)
    let second = try #require(rig.sensor.timer)
    #expect(rig.sensor.timedOut(second) == .fault(.evaluation(evaluation), .timeout))
  }

  @Test func doesNotTimeOutWhileASampleIsTaken() throws {
    var rig = try SensorRig([.rightIndex], ["timeout": "30s"])
    _ = rig.arm()
    let timer = try #require(rig.sensor.timer)
    _ = rig.sensor.present(.match, at: rig.now, using: &rig.random)
    #expect(rig.sensor.timer == nil)
    #expect(rig.sensor.timedOut(timer) == .none)
  }

  @Test func hasNoTimeOutUnlessSet() throws {
    var rig = try SensorRig()
    _ = rig.arm()
    #expect(rig.sensor.timer == nil)
  }

  @Test func staysBusyAfterACancelItCannotObey() throws {
    var rig = try SensorRig([.rightIndex], ["cancellation": "false"])
    _ = rig.arm()
    #expect(rig.sensor.disarm(for: evaluation) == .lingering)
    #expect(rig.sensor.operation == nil)
    #expect(rig.sensor.arm(for: other, at: rig.now) == .refused(.busy))
    #expect(rig.sensor.present(.match, at: rig.now, using: &rig.random) == .ignored(.notArmed))
    #expect(rig.sensor.arm(for: other, at: rig.now) == .ready(liftFinger: false))
  }

  @Test func stopsLingeringAtItsTimeOut() throws {
    var rig = try SensorRig([.rightIndex], ["cancellation": "false", "timeout": "5s"])
    _ = rig.arm()
    _ = rig.sensor.disarm(for: evaluation)
    let timer = try #require(rig.sensor.timer)
    #expect(rig.sensor.timedOut(timer) == .none)
    #expect(rig.arm() == .ready(liftFinger: false))
  }

  @Test func resetsSettingsOnly() throws {
    var rig = try SensorRig([.rightIndex], ["lockout-enable": "true", "plugged": "false"])
    rig.sensor.plug()
    _ = rig.arm()
    _ = rig.judge(.miss)
    rig.sensor.fingerDown()
    let enrolment = rig.sensor.enrolment
    rig.sensor.reset()
    #expect(rig.sensor.settings == SensorRig.settings)
    #expect(rig.sensor.enrolment == enrolment)
    #expect(rig.sensor.isFingerDown)
    #expect(try rig.sensor.set("lockout-enable", "true") == .none)
    #expect(rig.sensor.standing(at: rig.now) == .open(attemptsLeft: 19))
  }
}
