import LocalAuthCore
import LocalAuthSensor
import Testing

@Suite struct SimulatedSensorTests {
  @Test func capturesBeforeItJudges() throws {
    var rig = try SensorRig()
    #expect(rig.arm() == .ready(liftFinger: false))
    let reading = rig.read(.touch(.finger(.leftThumb)))
    guard case .captured(let capture, .good) = reading else {
      Issue.record("\(String(describing: reading))")
      return
    }
    #expect(capture.evaluation == evaluation)
    #expect(rig.sensor.judge(capture, at: rig.now) == .match(.leftThumb, generation: 3))
  }

  @Test func judgesACaptureOnce() throws {
    var rig = try SensorRig()
    _ = rig.arm()
    guard case .captured(let capture, _) = rig.read(.miss) else {
      Issue.record("nothing was captured")
      return
    }
    #expect(rig.sensor.judge(capture, at: rig.now) == .miss)
    #expect(rig.sensor.judge(capture, at: rig.now) == .stale)
  }

  @Test func matchesOncePerArming() throws {
    var rig = try SensorRig()
    _ = rig.arm()
    #expect(rig.judge(.match) == .match(.rightIndex, generation: 3))
    #expect(rig.sensor.operation == nil)
    #expect(rig.sensor.present(.match, at: rig.now, using: &rig.random) == .ignored(.notArmed))
  }

  @Test func waitsOnAfterAMiss() throws {
    var rig = try SensorRig()
    _ = rig.arm()
    #expect(rig.judge(.miss) == .miss)
    #expect(rig.judge(.touch(.finger(.rightThumb))) == .miss)
    #expect(rig.judge(.match) == .match(.rightIndex, generation: 3))
  }

  @Test func missesAScriptedMatchWhenNobodyIsEnrolled() throws {
    var rig = try SensorRig([])
    _ = rig.arm()
    #expect(rig.judge(.match) == .miss)
  }

  @Test(arguments: Finger.allCases) func matchesEveryFingerOnlyWhileEnrolled(
    _ finger: Finger
  ) throws {
    var enrolled = try SensorRig([finger])
    _ = enrolled.arm()
    #expect(enrolled.judge(.touch(.finger(finger))) == .match(finger, generation: 3))
    var bare = try SensorRig([])
    _ = bare.arm()
    #expect(bare.judge(.touch(.finger(finger))) == .miss)
  }

  @Test func missesAFingerRemovedBetweenCaptureAndVerdict() throws {
    var rig = try SensorRig([.rightIndex])
    _ = rig.arm()
    guard case .captured(let capture, _) = rig.read(.match) else {
      Issue.record("nothing was captured")
      return
    }
    let set = try #require(rig.sensor.removing(.rightIndex))
    #expect(rig.sensor.adopt(set) == true)
    #expect(rig.sensor.judge(capture, at: rig.now) == .miss)
  }

  @Test func ignoresATouchWhenNotArmed() throws {
    var rig = try SensorRig()
    #expect(rig.sensor.present(.match, at: rig.now, using: &rig.random) == .ignored(.notArmed))
  }

  @Test func refusesACaptureOfAnEarlierArming() throws {
    var rig = try SensorRig()
    _ = rig.arm()
    guard case .captured(let capture, _) = rig.read(.match) else {
      Issue.record("nothing was captured")
      return
    }
    #expect(rig.sensor.disarm(for: evaluation) == .stopped)
    _ = rig.arm()
    #expect(rig.sensor.judge(capture, at: rig.now) == .stale)
    _ = rig.read(.match)
    #expect(rig.sensor.judge(capture, at: rig.now) == .stale)
  }

  @Test func dropsASampleWhoseEvaluationIsOver() throws {
    var rig = try SensorRig()
    _ = rig.arm()
    guard
      case .sampling(let sample, _) = rig.sensor.present(.match, at: rig.now, using: &rig.random)
    else {
      Issue.record("no sample")
      return
    }
    _ = rig.sensor.disarm(for: evaluation)
    #expect(rig.sensor.arm(for: other, at: rig.now) == .ready(liftFinger: false))
    #expect(rig.sensor.sampled(sample) == .stale)
  }

  @Test func takesOneSampleAtATime() throws {
    var rig = try SensorRig()
    _ = rig.arm()
    _ = rig.sensor.present(.match, at: rig.now, using: &rig.random)
    #expect(rig.sensor.present(.match, at: rig.now, using: &rig.random) == .ignored(.occupied))
  }

  @Test func ignoresTouchesWhileASampleWaitsForItsVerdict() throws {
    var rig = try SensorRig()
    _ = rig.arm()
    _ = rig.read(.match)
    #expect(rig.sensor.present(.match, at: rig.now, using: &rig.random) == .ignored(.occupied))
  }

  @Test func waitsOnWhenACaptureIsDiscarded() throws {
    var rig = try SensorRig()
    _ = rig.arm()
    guard case .captured(let capture, _) = rig.read(.match) else {
      Issue.record("nothing was captured")
      return
    }
    #expect(rig.sensor.discard(capture) == true)
    #expect(rig.sensor.discard(capture) == false)
    #expect(rig.sensor.judge(capture, at: rig.now) == .stale)
    #expect(rig.judge(.match) == .match(.rightIndex, generation: 3))
  }

  @Test func servesOneEvaluationAtATime() throws {
    var rig = try SensorRig()
    _ = rig.arm()
    #expect(rig.sensor.arm(for: other, at: rig.now) == .refused(.busy))
    #expect(rig.sensor.disarm(for: other) == .notRunning)
    #expect(rig.sensor.operation == .evaluation(evaluation))
  }

  @Test(arguments: Acquisition.named.map(\.code) + [.vendor(1007)])
  func neverJudgesAFlawedSample(_ flaw: Acquisition) throws {
    var rig = try SensorRig()
    _ = rig.arm()
    #expect(rig.read(.retry(flaw)) == .retry(flaw, saying: AcquiredSequence(flaw: flaw)))
    #expect(rig.judge(.match) == .match(.rightIndex, generation: 3))
  }

  @Test(arguments: SensorFault.named.map(\.fault) + [.vendor(1001)])
  func stopsAtAFault(_ fault: SensorFault) throws {
    var rig = try SensorRig()
    _ = rig.arm()
    #expect(rig.read(.fault(fault)) == .fault(fault))
    #expect(rig.sensor.operation == nil)
  }

  @Test func retriesWhenTheAcquiredSequenceEndsInAFlaw() throws {
    var rig = try SensorRig([.rightIndex], ["acquired": "start,good,partial"])
    let saying = try #require(AcquiredSequence([.start, .good, .flawed(.partial)]))
    _ = rig.arm()
    #expect(rig.read(.match) == .retry(.partial, saying: saying))
  }

  @Test func capturesWhenTheAcquiredSequenceEndsWell() throws {
    var rig = try SensorRig([.rightIndex], ["acquired": "good,partial,good"])
    _ = rig.arm()
    guard case .captured(_, let saying) = rig.read(.match) else {
      Issue.record("nothing was captured")
      return
    }
    #expect(saying.steps == [.good, .flawed(.partial), .good])
  }

  @Test func failsTheNextSampleOnly() throws {
    var rig = try SensorRig([.rightIndex], ["authenticate-error": "next:bad-calibration"])
    _ = rig.arm()
    #expect(rig.read(.match) == .fault(.badCalibration))
    _ = rig.arm()
    #expect(rig.judge(.match) == .match(.rightIndex, generation: 3))
  }

  @Test func failsEverySampleUntilToldOtherwise() throws {
    var rig = try SensorRig([.rightIndex], ["authenticate-error": "vendor-1001"])
    for _ in 1...3 {
      _ = rig.arm()
      #expect(rig.read(.match) == .fault(.vendor(1001)))
    }
    #expect(try rig.sensor.set("authenticate-error", "none") == .none)
    _ = rig.arm()
    #expect(rig.judge(.match) == .match(.rightIndex, generation: 3))
  }

  @Test func missesEveryFingerWhenItsMatcherFails() throws {
    var rig = try SensorRig([.rightIndex], ["authenticate-fails": "true"])
    _ = rig.arm()
    #expect(rig.judge(.match) == .miss)
  }

  @Test func reportsInteractionWithoutJudging() throws {
    var rig = try SensorRig([.rightIndex], ["detect-interaction": "true"])
    _ = rig.arm()
    #expect(rig.read(.interaction) == .interaction)
    #expect(rig.judge(.match) == .match(.rightIndex, generation: 3))
  }

  @Test func ignoresInteractionUnlessSet() throws {
    var rig = try SensorRig()
    _ = rig.arm()
    let response = rig.sensor.present(.interaction, at: rig.now, using: &rig.random)
    #expect(response == .ignored(.notSupported))
  }

  @Test func ignoresEnrolmentStagesWhileAuthenticating() throws {
    var rig = try SensorRig()
    _ = rig.arm()
    let response = rig.sensor.present(.stage(.good), at: rig.now, using: &rig.random)
    #expect(response == .ignored(.notSupported))
  }

  @Test func drawsTheLatencyFromItsRange() throws {
    var rig = try SensorRig([.rightIndex], ["latency": "100ms,900ms"])
    var seen: Set<Duration> = []
    for _ in 1...50 {
      _ = rig.arm()
      let response = rig.sensor.present(.match, at: rig.now, using: &rig.random)
      guard case .sampling(_, let delay) = response else {
        Issue.record("\(response), seed \(seed)")
        return
      }
      #expect(delay >= .milliseconds(100) && delay <= .milliseconds(900), "seed \(seed)")
      seen.insert(delay)
      _ = rig.sensor.disarm(for: evaluation)
    }
    #expect(seen.count > 40, "seed \(seed)")
  }

  @Test func matchesAPrintByItsLabel() throws {
    var rig = try SensorRig([.rightIndex], ["prints": "A=right-index,B=left-ring"])
    for (label, verdict) in [
      ("C", SimulatedSensor.Judgement.miss), ("B", .miss),
      ("A", .match(.rightIndex, generation: 3)),
    ] {
      _ = rig.arm()
      let identity = try #require(PrintIdentity(word: label))
      #expect(rig.judge(.touch(identity)) == verdict)
    }
  }
}
