public import LocalAuthCore

extension SimulatedSensor {
  /// The answer to a request to wait for a finger or enrol one.
  public enum Readiness: Hashable, Sendable {
    /// The sensor waits; a finger already on it counts only after it has been lifted.
    case ready(liftFinger: Bool)
    /// The sensor cannot wait, because of this fault.
    case refused(SensorFault)
    /// The sensor is locked for this long, or until the passcode if nil.
    case lockedOut(retryAfter: Duration?)
  }

  /// The response to a presentation.
  public enum Response: Hashable, Sendable {
    /// A sample is being taken: call ``SimulatedSensor/sampled(_:)`` after this time.
    case sampling(Sample, after: Duration)
    /// The sensor is locked for this long, or until the passcode if nil; its operation is over.
    case lockedOut(retryAfter: Duration?)
    /// The presentation is ignored, for this reason.
    case ignored(IgnoredReason)
  }

  /// Why a presentation is ignored.
  public enum IgnoredReason: Hashable, Sendable {
    /// The sensor is not waiting for a finger.
    case notArmed
    /// An earlier touch is still being sampled or judged.
    case occupied
    /// The sensor lacks the ability, because its setting is off.
    case notSupported
  }

  /// The result of a sample.
  public enum Reading: Hashable, Sendable {
    /// A good sample: charge the attempt, then call ``SimulatedSensor/judge(_:at:)``.
    case captured(Capture, saying: AcquiredSequence)
    /// A flawed sample; the sensor keeps waiting.
    case retry(Acquisition, saying: AcquiredSequence)
    /// Someone is there; the sensor keeps waiting.
    case interaction
    /// A step of an enrolment.
    case enrolment(EnrolmentStep)
    /// The sensor failed; its operation is over.
    case fault(SensorFault)
    /// The operation that the sample belongs to is over.
    case stale
  }

  /// The verdict on a sample.
  public enum Judgement: Hashable, Sendable {
    /// The finger is enrolled, in this generation of the set; the sensor stops waiting.
    case match(Finger, generation: UInt64)
    /// The finger is not enrolled; the sensor keeps waiting.
    case miss
    /// Nothing was judged, because the sensor is no longer armed as when the sample was taken.
    case stale
  }

  /// The effect of an event on the current operation.
  public enum Interruption: Hashable, Sendable {
    /// The operation continues.
    case none
    /// The operation ends with a fault.
    case fault(SensorOperation, SensorFault)
    /// The operation ends with a lock for this long, or until the passcode if nil.
    case lockedOut(SensorOperation, retryAfter: Duration?)
  }

  /// The answer to a cancellation.
  public enum Cancellation: Hashable, Sendable {
    /// The sensor stopped.
    case stopped
    /// The sensor could not stop: it stays busy until the next touch, and reports nothing.
    case lingering
    /// The sensor was not working on that operation.
    case notRunning
  }
}

/// The effect of one sample on an enrolment.
public enum EnrolmentStep: Hashable, Sendable {
  /// This many stages, of the given total, are passed.
  case passed(Int, of: Int)
  /// The stage is repeated, because of this status; the person should correct the acquisition.
  case again(EnrolmentSample, Acquisition)
  /// All stages are passed: make this set durable, then ``SimulatedSensor/adopt(_:)`` it.
  case completed(EnrolmentSet)
  /// The enrolment failed and nothing is stored.
  case failed(SensorFault)
}
