public import LocalAuthCore

/// What happens at the sensor.
public enum Presentation: Hashable, Sendable {
  /// A touch by the first enrolled finger; while enrolling, by the finger being enrolled.
  case match
  /// A touch by this finger: it matches when it is enrolled, whatever the sensor's model says.
  case matching(Finger)
  /// A touch by a finger that nobody enrolled.
  case miss
  /// A touch by this finger or print; the sensor's model, if it has one, says what comes of it.
  case touch(PrintIdentity)
  /// A touch whose sample is no good.
  case retry(Acquisition)
  /// A touch that only says that somebody is there.
  case interaction
  /// While enrolling, a sample with this status.
  case stage(EnrolmentSample)
  /// The sensor gives up.
  case fault(SensorFault)
}

extension Presentation {
  /// The fault that it is, if it is one.
  var fault: SensorFault? {
    switch self {
    case .fault(let fault): fault
    case .match, .matching, .miss, .touch, .retry, .interaction, .stage: nil
    }
  }

  /// What is wrong with its sample, if that is certain.
  var flaw: Acquisition? {
    switch self {
    case .retry(let acquisition): acquisition
    case .match, .matching, .miss, .touch, .interaction, .stage, .fault: nil
    }
  }
}
