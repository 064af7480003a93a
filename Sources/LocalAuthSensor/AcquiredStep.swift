public import LocalAuthCore

/// One report of a sensor while it takes a sample.
public enum AcquiredStep: Hashable, Sendable {
  /// The sample is good.
  case good
  /// A finger was detected; the sample is not complete.
  case start
  /// The sample is flawed, for this reason.
  case flawed(Acquisition)

  /// The step's word in settings: `good`, `start` or an acquisition word.
  public var word: String {
    switch self {
    case .good: "good"
    case .start: "start"
    case .flawed(let acquisition): acquisition.word
    }
  }

  /// Creates the step that `word` names.
  public init?(word: String) {
    switch word {
    case "good": self = .good
    case "start": self = .start
    default:
      guard let acquisition = Acquisition(word: word) else { return nil }
      self = .flawed(acquisition)
    }
  }
}

/// The reports of a sensor during one touch, in order; the last one decides.
///
/// A sequence that ends in a flaw makes the touch a retry; any other makes it a sample to judge.
public struct AcquiredSequence: Hashable, Sendable {
  /// The steps; at least one.
  public let steps: [AcquiredStep]

  /// The sequence of a single `good`.
  public static let good = AcquiredSequence(steps: [.good])

  /// Why the touch cannot be judged; nil if it can.
  public var flaw: Acquisition? {
    switch steps.last {
    case .flawed(let acquisition): acquisition
    case .good, .start, nil: nil
    }
  }

  private init(steps: [AcquiredStep]) { self.steps = steps }

  /// Creates the sequence of a single flaw.
  public init(flaw: Acquisition) { self.init(steps: [.flawed(flaw)]) }

  /// Creates a sequence of these steps; nil if there are none or more than 64.
  public init?(_ steps: [AcquiredStep]) {
    guard (1...64).contains(steps.count) else { return nil }
    self.init(steps: steps)
  }
}
