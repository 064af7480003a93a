/// The condition of a finger: good, or impaired because it is wet, dry or dirty.
public enum FingerState: UInt8, CaseIterable, Hashable, Sendable {
  case good
  case impaired
}

/// The state of a finger from one presentation to the next.
///
/// It is a Markov chain with two states, which makes failures come in bursts.
public struct FingerStateChain: Hashable, Sendable {
  /// The probability that a good finger is impaired at the next presentation.
  public let worsening: Double
  /// The probability that an impaired finger is good at the next presentation.
  public let recovering: Double

  private init(unchecked worsening: Double, _ recovering: Double) {
    self.worsening = worsening
    self.recovering = recovering
  }

  /// Creates a chain with these probabilities; they must not both be 0, or the state would never
  /// change.
  public init(worsening: Double, recovering: Double) throws(ModelError) {
    self.init(
      unchecked: try ModelError.probability(worsening, "worsening"),
      try ModelError.probability(recovering, "recovering")
    )
    guard worsening + recovering > 0 else {
      throw .outOfRange("recovering", recovering, allowed: "above 0 where worsening is 0")
    }
  }

  /// Good to impaired 0.02, impaired to good 0.10; our own assumptions.
  ///
  /// A finger is then impaired a sixth of the time, for ten presentations on average.
  public static let standard = FingerStateChain(unchecked: 0.02, 0.10)
  /// A finger that is always good.
  public static let alwaysGood = FingerStateChain(unchecked: 0, 1)

  /// The share of time during which a finger is impaired.
  public var impairedShare: Double { worsening / (worsening + recovering) }

  /// Draws a state from the stationary distribution.
  public func settled(using stream: inout EventStream) -> FingerState {
    stream.happens(impairedShare) ? .impaired : .good
  }

  /// Draws the state at the next presentation.
  public func next(after state: FingerState, using stream: inout EventStream) -> FingerState {
    switch state {
    case .good: stream.happens(worsening) ? .impaired : .good
    case .impaired: stream.happens(recovering) ? .good : .impaired
    }
  }
}
