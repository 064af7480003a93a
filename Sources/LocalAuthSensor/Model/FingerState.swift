import CLocalAuthMath

/// The condition of a finger: good, or impaired because it is wet, dry or dirty.
public enum FingerState: UInt8, CaseIterable, Hashable, Sendable {
  case good
  case impaired
}

/// How a finger's state changes with time: a Markov process with two states, which makes misses come
/// in bursts.
public struct FingerStateProcess: Hashable, Sendable {
  /// The share of time during which a finger is impaired.
  public let impairedShare: Double
  /// How long a finger stays impaired, on average.
  public let impairedFor: Duration

  private init(unchecked impairedShare: Double, _ impairedFor: Duration) {
    self.impairedShare = impairedShare
    self.impairedFor = impairedFor
  }

  /// Creates the process with this share, below 1, and this mean duration, above 0.
  public init(impairedShare: Double, impairedFor: Duration) throws(ModelError) {
    let share = try ModelError.probability(impairedShare, "the share of time impaired")
    guard share < 1 else {
      throw .outOfRange("the share of time impaired", share, allowed: "at least 0, below 1")
    }
    guard impairedFor > .zero else {
      throw .outOfRange("the time impaired", impairedFor / .seconds(1), allowed: "above 0 s")
    }
    self.init(unchecked: share, impairedFor)
  }

  /// Impaired a twentieth of the time, for ten minutes on average; our own assumptions.
  public static let standard = FingerStateProcess(unchecked: 0.05, .seconds(600))
  /// A finger that is always good.
  public static let alwaysGood = FingerStateProcess(unchecked: 0, .seconds(600))

  /// Draws a state from the stationary distribution.
  public func settled(using stream: inout EventStream) -> FingerState {
    stream.happens(impairedShare) ? .impaired : .good
  }

  /// Returns the change of state over `time`.
  ///
  /// With the rates l of worsening and m = 1 / ``impairedFor`` of recovering, the difference from the
  /// stationary distribution shrinks by e^-(l + m)t, where l + m = m / (1 - ``impairedShare``).
  public func step(over time: Duration) -> FingerStateStep {
    let rate = 1 / (impairedFor / .seconds(1)) / (1 - impairedShare)
    let forgotten = -la_expm1(-rate * (time / .seconds(1)))
    return FingerStateStep(
      worsening: impairedShare * forgotten,
      recovering: (1 - impairedShare) * forgotten
    )
  }
}

/// The change of a finger's state over some time.
public struct FingerStateStep: Hashable, Sendable {
  /// The probability that a good finger is impaired at the end.
  public let worsening: Double
  /// The probability that an impaired finger is good at the end.
  public let recovering: Double

  /// Draws the state at the end.
  public func next(after state: FingerState, using stream: inout EventStream) -> FingerState {
    switch state {
    case .good: stream.happens(worsening) ? .impaired : .good
    case .impaired: stream.happens(recovering) ? .good : .impaired
    }
  }
}
