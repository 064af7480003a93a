import LocalAuthCore
import Testing

@testable import LocalAuthSensor

@Suite struct ModelledTouchTests {
  /// What became of one touch.
  private enum Effect: Hashable {
    case match(Finger)
    case miss
    case retry(Acquisition)
    case other
  }

  /// One touch after another, each waited for anew.
  private func effect(_ presentation: Presentation, on rig: inout SensorRig) -> Effect {
    _ = rig.sensor.disarm(for: evaluation)
    _ = rig.arm()
    switch rig.read(presentation) {
    case .retry(let acquisition, _): return .retry(acquisition)
    case .captured(let capture, _):
      switch rig.sensor.judge(capture, at: rig.now) {
      case .match(let finger, _): return .match(finger)
      case .miss: return .miss
      case .stale: return .other
      }
    case .interaction, .enrolment, .fault, .stale, .none: return .other
    }
  }

  private func touches(
    _ count: Int,
    of finger: Finger = .rightIndex,
    on rig: inout SensorRig
  ) -> [Effect] {
    (0..<count).map { _ in effect(.touch(.finger(finger)), on: &rig) }
  }

  private func goats(_ more: [String: String] = [:]) throws -> SensorRig {
    let settings = ["model": "goats", "seed": "7"].merging(more) { $1 }
    return try SensorRig([.rightIndex, .leftThumb], settings)
  }

  @Test func withoutAModelATouchIsWhatItIs() throws {
    var rig = try SensorRig([.rightIndex], ["seed": "7"])
    #expect(Set(touches(500, on: &rig)) == [.match(.rightIndex)])
    #expect(Set(touches(500, of: .leftRing, on: &rig)) == [.miss])
    #expect(rig.sensor.settings.history == TouchHistory())
  }

  /// The same numbers as the model gives to whoever asks it by itself.
  @Test(arguments: SensorRig.profiles.names)
  func touchesAreTheModels(_ name: String) throws {
    var rig = try goats(["model": name, "person": "3", "quality": "20"])
    let model = try #require(SensorRig.profiles[name]).model
    let random = EventRandom(seed: 7)
    var person = random.stream(.person, user: 3)
    var enrolment = random.stream(.enrolment, user: 3, event: 6)
    _ = enrolment.uniform()
    let finger = model.population.person(using: &person)
      .finger(model.scores.effects, using: &enrolment)
      .calibrated(model.fingerState, model.scores.effects)
    var beginning = random.stream(.fingerState, user: 3, event: 6)
    var state = model.fingerState.settled(using: &beginning)
    let change = model.fingerState.step(over: SensorModel.betweenTouches)
    for number in UInt32(0)..<400 {
      var stream = random.stream(.transaction, user: 3, event: number)
      let conditions = CaptureConditions(quality: 20, finger: state)
      let presented = model.present(finger, in: conditions, using: &stream)
      let expected: Effect =
        switch presented {
        case .notAcquired: .retry(state == .good ? .partial : .dirty)
        case .takenForFake: .miss
        case .compared(let score): score >= 0 ? .match(.rightIndex) : .miss
        }
      #expect(effect(.touch(.finger(.rightIndex)), on: &rig) == expected, "\(name) \(number)")
      _ = model.latency.draw(using: &stream)
      state = change.next(after: state, using: &stream)
    }
  }

  @Test func theSameSeedGivesTheSameTouches() throws {
    var first = try goats()
    var second = try goats()
    let run = touches(800, on: &first)
    #expect(run == touches(800, on: &second))
    #expect(Set(run).isSuperset(of: [.match(.rightIndex), .miss, .retry(.partial)]))
    for other in [["seed": "8"], ["person": "1"], ["model": "nist"]] {
      var different = try goats(other)
      #expect(touches(800, on: &different) != run, "\(other)")
    }
  }

  @Test func withoutASeedTheModelDrawsByZero() throws {
    var none = try SensorRig([.rightIndex], ["model": "goats"])
    var zero = try SensorRig([.rightIndex], ["model": "goats", "seed": "0"])
    #expect(touches(500, on: &none) == touches(500, on: &zero))
  }

  /// Two fingers in turn, and a restart after any touch: what was stored is all there was.
  @Test func aRestartNeitherRepeatsNorSkips() throws {
    var whole = try goats()
    var parts = try goats()
    for touch in 0..<600 {
      let finger = touch % 3 == 0 ? Finger.leftThumb : .rightIndex
      let presentation = Presentation.touch(.finger(finger))
      #expect(effect(presentation, on: &whole) == effect(presentation, on: &parts), "\(touch)")
      guard touch % 7 == 0 else { continue }
      let stored = parts.sensor.settings.changed
      parts = try SensorRig([.rightIndex, .leftThumb], stored)
      #expect(parts.sensor.settings.changed == stored)
    }
    #expect(whole.sensor.settings.history.touches == 600)
    #expect(whole.sensor.settings == parts.sensor.settings)
  }

  @Test func exactWordsStayExactAndMoveNothing() throws {
    var plain = try goats()
    var mixed = try goats()
    for touch in 0..<300 {
      #expect(effect(.match, on: &mixed) == .match(.rightIndex))
      #expect(effect(.matching(.leftThumb), on: &mixed) == .match(.leftThumb))
      #expect(effect(.matching(.leftRing), on: &mixed) == .miss)
      #expect(effect(.miss, on: &mixed) == .miss)
      #expect(effect(.retry(.tooFast), on: &mixed) == .retry(.tooFast))
      let drawn = touches(1, on: &mixed)
      #expect(drawn == touches(1, on: &plain), "\(touch)")
    }
  }

  @Test func aLabelledPrintIsItsFinger() throws {
    var named = try goats()
    var labelled = try goats(["prints": "A=right-index"])
    let label = Presentation.touch(.label(try #require(PrintLabel("A"))))
    let run = (0..<300).map { _ in effect(label, on: &labelled) }
    #expect(run == touches(300, on: &named))
  }

  /// Enrolling more fingers, better samples and exact events move no other draw.
  @Test func betterSamplesNeverMissWhereWorseOnesMatch() throws {
    var worse = try goats(["quality": "10"])
    var better = try goats(["quality": "90"])
    var gained = 0
    for _ in 0..<1000 {
      let low = touches(1, on: &worse)[0]
      let high = touches(1, on: &better)[0]
      if low == .match(.rightIndex) { #expect(high == low) }
      if case .retry = low { #expect(high == low) }
      gained += low != high ? 1 : 0
    }
    #expect(gained > 0)
  }

  @Test func aStrangerIsTakenForOneOfTheEnrolled() throws {
    var rig = try goats(["model": "d-prime:3,fmr:0.3"])
    let run = Set(touches(500, of: .leftRing, on: &rig))
    #expect(run == [.match(.rightIndex), .match(.leftThumb), .miss, .retry(.partial)])
    var empty = try SensorRig([], ["model": "d-prime:3,fmr:0.3"])
    #expect(Set(touches(500, on: &empty)) == [.miss, .retry(.partial)])
  }

  @Test func aTouchTakesTheModelsTimeUnlessOneIsSet() throws {
    var rig = try goats()
    var times: [Duration] = []
    for _ in 0..<400 {
      _ = rig.sensor.disarm(for: evaluation)
      _ = rig.arm()
      let response = rig.sensor.present(
        .touch(.finger(.rightIndex)),
        at: rig.now,
        using: &rig.random
      )
      guard case .sampling(let sample, let time) = response else { continue }
      _ = rig.sensor.sampled(sample)
      times.append(time)
    }
    let median = times.sorted()[200]
    #expect(median > .milliseconds(300) && median < .milliseconds(500))
    #expect(Set(times).count > 390)
    _ = try rig.sensor.set("latency", "5ms")
    _ = rig.sensor.disarm(for: evaluation)
    _ = rig.arm()
    guard
      case .sampling(_, .milliseconds(5)) = rig.sensor.present(
        .touch(.finger(.rightIndex)),
        at: rig.now,
        using: &rig.random
      )
    else {
      Issue.record("another latency")
      return
    }
  }

  @Test func settingsThatForceAnOutcomeGoBeforeTheModel() throws {
    var rig = try goats(["authenticate-fails": "true"])
    #expect(!touches(300, on: &rig).contains(.match(.rightIndex)))
    rig = try goats(["acquired": "too-dark"])
    #expect(touches(20, on: &rig).allSatisfy { $0 != .miss && $0 != .match(.rightIndex) })
  }

  @Test(arguments: [("seed", "7"), ("model", "goats"), ("person", "0")])
  func settingWhoTouchesBeginsAnew(_ key: String, _ value: String) throws {
    var rig = try goats()
    let run = touches(300, on: &rig)
    #expect(touches(300, on: &rig) != run)
    _ = try rig.sensor.set(key, value)
    #expect(touches(300, on: &rig) == run)
    _ = try rig.sensor.set("quality", "50")
    #expect(rig.sensor.settings.history.touches == 300)
    rig.sensor.reset()
    #expect(rig.sensor.settings == SensorRig.settings)
  }

  @Test(arguments: [
    "", "x", "-1", "1,", "1,thumb=good", "1,left-thumb", "1,left-thumb=wet",
    "1,left-thumb=good=good",
    "18446744073709551616",
  ])
  func refusesAHistoryThatItDidNotWrite(_ text: String) {
    #expect(throws: SettingError.unknownKey("touch-history")) {
      try SensorSettings(stored: ["touch-history": text])
    }
    #expect(throws: SettingError.unknownKey("touch-history")) {
      var settings = SensorSettings()
      try settings.set("touch-history", "1")
    }
  }

  @Test func theExtremesOfAModelNeitherTrapNorStop() throws {
    for name in [
      "d-prime:1e-300,fmr:1e-300", "d-prime:1e300,fmr:1e-300", "d-prime:1e-300,fmr:0.999999999999",
      "d-prime:1e300,fmr:0.999999999999",
    ] {
      var rig = try goats([
        "model": name, "quality": "0", "person": "4294967295", "seed": "18446744073709551615",
        "touch-history": "18446744073709551614",
      ])
      #expect(!touches(50, on: &rig).contains(.other), "\(name)")
      #expect(!touches(50, of: .leftRing, on: &rig).contains(.other), "\(name)")
    }
  }
}
