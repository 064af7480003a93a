/// How a finger is: fit to be read, or wet, dry or dirty.
public enum FingerState: UInt8, CaseIterable, Hashable, Sendable {
  case good
  case impaired
}

/// How a finger's state goes on from one presentation to the next: a Markov chain with two states, the
/// reason that failures come in bursts.
public struct FingerStateChain: Hashable, Sendable {
  /// The probability that a good finger is impaired at the next presentation.
  public let worsening: Double
  /// The probability that an impaired finger is good at the next.
  public let recovering: Double

  private init(unchecked worsening: Double, _ recovering: Double) {
    self.worsening = worsening
    self.recovering = recovering
  }

  /// The chain with these probabilities; not both are 0, or it would never leave where it began.
  public init(worsening: Double, recovering: Double) throws(ModelError) {
    self.init(
      unchecked: try ModelError.probability(worsening, "worsening"),
      try ModelError.probability(recovering, "recovering")
    )
    guard worsening + recovering > 0 else {
      throw .outOfRange("recovering", recovering, allowed: "above 0 where worsening is 0")
    }
  }

  /// Good to bad 0.02, bad to good 0.10; the sizes are ours.
  ///
  /// A finger is then impaired a sixth of the time, for ten presentations on average.
  public static let standard = FingerStateChain(unchecked: 0.02, 0.10)
  /// A finger that is always good.
  public static let alwaysGood = FingerStateChain(unchecked: 0, 1)

  /// The share of time that a finger is impaired.
  public var impairedShare: Double { worsening / (worsening + recovering) }

  /// A state from the long run.
  public func settled(using stream: inout EventStream) -> FingerState {
    stream.happens(impairedShare) ? .impaired : .good
  }

  /// The state at the next presentation.
  public func next(after state: FingerState, using stream: inout EventStream) -> FingerState {
    switch state {
    case .good: stream.happens(worsening) ? .impaired : .good
    case .impaired: stream.happens(recovering) ? .good : .impaired
    }
  }
}
