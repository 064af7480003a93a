public import LocalAuthCore

/// The enrolment of one finger, stage by stage.
public struct Enrolment: Hashable, Sendable {
  /// The finger.
  public let finger: Finger
  /// The number of good samples required.
  public let stages: Int
  /// The number of good samples so far.
  public private(set) var passed = 0
  /// The number of touches sampled, good or not.
  public private(set) var samples = 0
  /// The label of the print being enrolled, once one has been seen.
  public private(set) var label: PrintLabel?

  init(of finger: Finger, stages: Int) {
    self.finger = finger
    self.stages = stages
  }

  /// Returns the status of a touch, given the enrolled set and the settings.
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

  /// Counts one more good sample.
  mutating func pass() { passed += 1 }

  /// Returns the touching finger; a label seen for the first time is taken as the print being
  /// enrolled.
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

  /// Returns why a touch by `touching` is no sample of the finger being enrolled; nil if it is one.
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
