public import LocalAuthCore

/// What the sensor is working on.
public enum SensorOperation: Hashable, Sendable {
  /// It waits for a finger on behalf of an evaluation.
  case evaluation(EvaluationID)
  /// It enrols a finger.
  case enrolment(Finger)
}

/// A touch whose sample is being taken; only the sensor that made it can redeem it, once.
public struct Sample: Hashable, Sendable {
  let serial: UInt64
}

/// A good sample that waits to be judged; only the sensor that made it can redeem it, once, and only
/// while it stays armed as it was.
public struct Capture: Hashable, Sendable {
  /// The evaluation that the sensor was armed for when the finger touched it.
  public let evaluation: EvaluationID
  let serial: UInt64
}

/// The wait for a finger that began last; it ends the operation if nothing came of it in time.
public struct NoInputTimer: Hashable, Sendable {
  /// When it runs out, from when the operation began or went on.
  public let after: Duration
  let serial: UInt64
}
