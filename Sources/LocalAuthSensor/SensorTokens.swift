public import LocalAuthCore

/// The current operation of the sensor.
public enum SensorOperation: Hashable, Sendable {
  /// The sensor waits for a finger for an evaluation.
  case evaluation(EvaluationID)
  /// The sensor enrols a finger.
  case enrolment(Finger)
}

/// A touch whose sample is being taken; only the sensor that created it can redeem it, once.
public struct Sample: Hashable, Sendable {
  let serial: UInt64
}

/// A good sample waiting to be judged.
///
/// Only the sensor that created it can redeem it, once, and only while it stays armed as it was.
public struct Capture: Hashable, Sendable {
  /// The evaluation that the sensor was armed for at the touch.
  public let evaluation: EvaluationID
  let serial: UInt64
}

/// The time limit of the latest wait for a finger; it ends the operation if it expires.
public struct NoInputTimer: Hashable, Sendable {
  /// The time limit, from when the operation began or continued.
  public let after: Duration
  let serial: UInt64
}
