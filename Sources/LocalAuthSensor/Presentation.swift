public import LocalAuthCore

/// An event at the sensor.
public enum Presentation: Hashable, Sendable {
  /// A touch by the first enrolled finger; while enrolling, by the finger being enrolled.
  case match
  /// A touch by this finger: it matches if the finger is enrolled, whatever the sensor's model
  /// says.
  case matching(Finger)
  /// A touch by a finger that is not enrolled.
  case miss
  /// A touch by this finger or print; the sensor's model, if any, decides the outcome.
  case touch(PrintIdentity)
  /// A touch with a flawed sample.
  case retry(Acquisition)
  /// A touch that only shows that someone is there.
  case interaction
  /// During enrolment, a sample with this status.
  case stage(EnrolmentSample)
  /// The sensor fails.
  case fault(SensorFault)
}

extension Presentation {
  /// The fault, if the presentation is one.
  var fault: SensorFault? {
    switch self {
    case .fault(let fault): fault
    case .match, .matching, .miss, .touch, .retry, .interaction, .stage: nil
    }
  }

  /// The flaw of the sample, if the presentation specifies one.
  var flaw: Acquisition? {
    switch self {
    case .retry(let acquisition): acquisition
    case .match, .matching, .miss, .touch, .interaction, .stage, .fault: nil
    }
  }
}
