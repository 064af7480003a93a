import LocalAuthAnalysis
import LocalAuthCore
import LocalAuthPolicies
import LocalAuthSensor
import LocalAuthTestSupport
import Testing

/// A simulated sensor that runs on a model, one first touch by each of many people, against closed
/// forms; a right sensor fails any of them once in a million runs.
@Suite struct ModelledSensorTests {
  private static let people = 20_000
  private static let cells = 3.0 * Double(Cases.catalog.sensorProfileNames.count)
  private let seed = SeededGenerator.ofThisRun.seed

  private struct Counts {
    var matches: UInt64 = 0
    var misses: UInt64 = 0
    var retries: UInt64 = 0
  }

  private func firstTouches(
    of finger: Finger,
    _ fingers: [Finger],
    model: String
  ) throws -> Counts {
    var counts = Counts()
    var generator = SeededGenerator(seed: seed)
    let evaluation = EvaluationID(high: 1, low: 1)
    let now = Moment(
      boot: BootInstant(nanoseconds: 0),
      bootID: BootIdentifier(high: 0, low: 1),
      wall: WallInstant(milliseconds: 0)
    )
    var settings = try SensorSettings(
      stored: ["seed": String(seed), "model": model],
      profiles: SensorProfiles(Cases.catalog.sensorProfiles)
    )
    for person in 0..<Self.people {
      try settings.set(.person, String(person))
      var sensor = SimulatedSensor(
        settings: settings,
        enrolment: EnrolmentSet(fingers: fingers, generation: 1)
      )
      _ = sensor.arm(for: evaluation, at: now)
      let touch = Presentation.touch(.finger(finger))
      guard case .sampling(let sample, _) = sensor.present(touch, at: now, using: &generator) else {
        continue
      }
      guard case .captured(let capture, _) = sensor.sampled(sample) else {
        counts.retries += 1
        continue
      }
      if case .match = sensor.judge(capture, at: now) {
        counts.matches += 1
      } else {
        counts.misses += 1
      }
    }
    return counts
  }

  private func check(_ successes: UInt64, of trials: UInt64, _ rate: Double, _ name: String) {
    let seen = Proportion(successes: successes, trials: trials)
    #expect(
      seen.pValue(rate: rate) > 1e-6 / Self.cells,
      "\(name): \(seen.share) against \(rate), SEED=\(seed)"
    )
  }

  /// How often one judged touch of anybody misses: as a fake, or by its score, whose rate is stated as
  /// a mean over the finger's states.
  private func missRate(_ model: SensorModel) -> Double {
    let fakes = model.acquisition.takenForFake
    return fakes + (1 - fakes) * model.population.mean
  }

  @Test(arguments: Cases.catalog.sensorProfileNames)
  func peopleMissAsOftenAsTheProfileSays(_ name: String) throws {
    let model = try Cases.catalog.sensorProfile(named: name).get().model
    let counts = try firstTouches(of: .rightIndex, [.rightIndex], model: name)
    let judged = counts.matches + counts.misses
    check(counts.misses, of: judged, missRate(model), "\(name), misses")
    check(
      counts.retries,
      of: UInt64(Self.people),
      model.acquisition.failureToAcquire,
      "\(name), without sample"
    )
  }

  @Test func strangersMatchAsOftenAsTheRateSays() throws {
    let fingers: [Finger] = [.rightIndex, .leftThumb, .leftIndex]
    let counts = try firstTouches(of: .leftRing, fingers, model: "d-prime:4,fmr:0.01")
    let judged = counts.matches + counts.misses
    check(counts.matches, of: judged, Chance.any(of: 3, each: 0.01), "strangers")
  }
}
