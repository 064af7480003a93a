public import LocalAuthCore

/// The enrolment of one finger, stage by stage.
public struct Enrolment: Hashable, Sendable {
  /// The finger.
  public let finger: Finger
  /// How many good samples it takes.
  public let stages: Int
  /// How many of them there are.
  public private(set) var passed = 0
  /// How many touches were sampled, good or not.
  public private(set) var samples = 0
  /// The label of the print that is being enrolled, once one was seen.
  public private(set) var label: PrintLabel?

  init(of finger: Finger, stages: Int) {
    self.finger = finger
    self.stages = stages
  }

  /// What a touch comes to, given the enrolled set and the settings.
  mutating func sample(
    _ presentation: Presentation,
    _ set: EnrolmentSet,
    _ settings: SensorSettings
  ) -> EnrolmentSample {
    let scripted =
      samples < settings.enrolmentSamples.count ? settings.enrolmentSamples[samples] : nil
    samples += samples < .max ? 1 : 0
    switch presentation {
    case .stage(let status): return status
    case .retry(let acquisition): return EnrolmentSample(acquisition)
    case .interaction, .fault: return .noUserPresenceTransition
    case .miss: return .mergeFailure
    case .match: return status(of: finger, set, settings) ?? scripted ?? .good
    case .matching(let touching): return status(of: touching, set, settings) ?? scripted ?? .good
    case .touch(let identity):
      let touching = recognise(identity, settings)
      return status(of: touching, set, settings) ?? scripted ?? .good
    }
  }

  /// One more good sample.
  mutating func pass() { passed += 1 }

  /// The finger that touches; a label seen for the first time is the print that is being enrolled.
  private mutating func recognise(_ identity: PrintIdentity, _ settings: SensorSettings) -> Finger?
  {
    switch identity {
    case .finger(let touching): return touching
    case .label(let seen):
      if let known = settings.prints[seen] { return known }
      if label == nil { label = seen }
      return label == seen ? finger : nil
    }
  }

  /// Why a touch by `touching` is no sample of the finger being enrolled, or nil when it is one.
  private func status(
    of touching: Finger?,
    _ set: EnrolmentSet,
    _ settings: SensorSettings
  ) -> EnrolmentSample? {
    guard let touching else { return .mergeFailure }
    if settings.checksDuplicates && set.fingers.contains(touching) { return .exists }
    return touching == finger ? nil : .mergeFailure
  }
}
