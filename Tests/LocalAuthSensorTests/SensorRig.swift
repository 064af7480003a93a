import Glibc
import LocalAuthCore
import LocalAuthSensor
import LocalAuthTestSupport

/// The seed of the random tests: `SEED`, or always the same.
let seed: UInt64 =
  unsafe getenv("SEED").flatMap { unsafe UInt64(String(cString: $0)) } ?? 20_240_601

let evaluation = EvaluationID(high: 1, low: 1)
let other = EvaluationID(high: 1, low: 2)

/// The moment `seconds` after the boot.
func moment(_ seconds: Int64 = 100) -> Moment {
  Moment(
    boot: BootInstant(nanoseconds: seconds * 1_000_000_000),
    bootID: BootIdentifier(high: 7, low: 7),
    wall: WallInstant(milliseconds: seconds * 1000)
  )
}

/// A sensor with fingers and settings, and what a service does at one touch.
struct SensorRig {
  var sensor: SimulatedSensor
  var random = SeededGenerator(seed: seed)
  var now = moment()

  /// Profiles that a model can be called by here.
  static let profiles = SensorProfiles([
    SensorProfile(name: "standard", source: "", scores: .standard), goats,
    SensorProfile(name: "nist", source: "", scores: ScoreModel(ComplianceFloor.nist.point)),
  ])

  private static var goats: SensorProfile {
    var profile = SensorProfile(name: "goats", source: "", scores: .standard)
    profile.model.population = .goats
    return profile
  }

  /// The settings of a new sensor that knows them.
  static let settings = SensorSettings(profiles: profiles)

  init(_ fingers: [Finger] = [.rightIndex, .leftThumb], _ settings: [String: String] = [:]) throws {
    sensor = SimulatedSensor(
      settings: try SensorSettings(stored: settings, profiles: Self.profiles),
      enrolment: EnrolmentSet(fingers: fingers, generation: 3)
    )
  }

  /// The reading of one touch, or nil when it is ignored or the sensor is locked.
  mutating func read(_ presentation: Presentation) -> SimulatedSensor.Reading? {
    switch sensor.present(presentation, at: now, using: &random) {
    case .sampling(let sample, _): sensor.sampled(sample)
    case .lockedOut, .ignored: nil
    }
  }

  /// The verdict on one touch, or nil when nothing was captured.
  mutating func judge(_ presentation: Presentation) -> SimulatedSensor.Judgement? {
    guard case .captured(let capture, _) = read(presentation) else { return nil }
    return sensor.judge(capture, at: now)
  }

  mutating func arm() -> SimulatedSensor.Readiness { sensor.arm(for: evaluation, at: now) }

  mutating func enrolOnce(_ presentation: Presentation) -> EnrolmentStep? {
    guard case .enrolment(let step) = read(presentation) else { return nil }
    return step
  }
}
