public import LocalAuthCore

extension SimulatedSensor {
  /// The answer to a request to wait for a finger or to enrol one.
  public enum Readiness: Hashable, Sendable {
    /// It waits. A finger that lies on it already counts only when it has been lifted.
    case ready(liftFinger: Bool)
    /// It cannot; why.
    case refused(SensorFault)
    /// It is locked for this long, or until the passcode when nil.
    case lockedOut(retryAfter: Duration?)
  }

  /// What a presentation leads to.
  public enum Response: Hashable, Sendable {
    /// A sample is being taken: call ``SimulatedSensor/sampled(_:)`` after this time.
    case sampling(Sample, after: Duration)
    /// The sensor is locked for this long, or until the passcode when nil; its operation is over.
    case lockedOut(retryAfter: Duration?)
    /// Nothing; why.
    case ignored(IgnoredReason)
  }

  /// Why a presentation leads to nothing.
  public enum IgnoredReason: Hashable, Sendable {
    /// The sensor waits for nobody.
    case notArmed
    /// An earlier touch is still being sampled or judged.
    case occupied
    /// The sensor has no such ability: its setting is off.
    case notSupported
  }

  /// What a sample turned out to be.
  public enum Reading: Hashable, Sendable {
    /// A good sample: charge the attempt, then call ``SimulatedSensor/judge(_:at:)``.
    case captured(Capture, saying: AcquiredSequence)
    /// No good; the sensor waits on.
    case retry(Acquisition, saying: AcquiredSequence)
    /// Somebody is there; the sensor waits on.
    case interaction
    /// A step of the enrolment.
    case enrolment(EnrolmentStep)
    /// The sensor gave up; its operation is over.
    case fault(SensorFault)
    /// Nothing: the operation of the sample is over.
    case stale
  }

  /// The verdict on a sample.
  public enum Judgement: Hashable, Sendable {
    /// It is this enrolled finger, of this generation of the set; the sensor waits no longer.
    case match(Finger, generation: UInt64)
    /// It is no enrolled finger; the sensor waits on.
    case miss
    /// Nothing was judged: the sensor is not armed as it was when the sample was taken.
    case stale
  }

  /// What an event does to the operation in course.
  public enum Interruption: Hashable, Sendable {
    /// Nothing.
    case none
    /// Ends it with a fault.
    case fault(SensorOperation, SensorFault)
    /// Ends it with a lock of this length, or until the passcode when nil.
    case lockedOut(SensorOperation, retryAfter: Duration?)
  }

  /// The answer to a cancellation.
  public enum Cancellation: Hashable, Sendable {
    /// The sensor stopped.
    case stopped
    /// It was told to stop and cannot: it is busy until the next touch, and tells nobody.
    case lingering
    /// It was not working on that.
    case notRunning
  }
}

/// What one sample did for an enrolment.
public enum EnrolmentStep: Hashable, Sendable {
  /// So many stages of so many are passed.
  case passed(Int, of: Int)
  /// The stage is tried again; why, and what the person should change.
  case again(EnrolmentSample, Acquisition)
  /// All stages are passed: make this set durable, then ``SimulatedSensor/adopt(_:)`` it.
  case completed(EnrolmentSet)
  /// The enrolment is over and nothing is stored.
  case failed(SensorFault)
}
