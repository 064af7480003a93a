public import LocalAuthCore

/// One word that a sensor says while it takes a sample.
public enum AcquiredStep: Hashable, Sendable {
  /// The sample is good.
  case good
  /// A finger was noticed; the sample is not complete.
  case start
  /// The sample is no good, and why.
  case flawed(Acquisition)

  /// The step's word in settings: `good`, `start` or an acquisition word.
  public var word: String {
    switch self {
    case .good: "good"
    case .start: "start"
    case .flawed(let acquisition): acquisition.word
    }
  }

  /// The step that `word` names.
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

/// What the sensor says during one touch, in order; the last word decides.
///
/// A sequence that ends in a flaw makes the touch a retry; any other makes it a sample to judge.
public struct AcquiredSequence: Hashable, Sendable {
  /// The words, at least one.
  public let steps: [AcquiredStep]

  /// The sequence that says only `good`.
  public static let good = AcquiredSequence(steps: [.good])

  /// Why the touch cannot be judged, or nil when it can.
  public var flaw: Acquisition? {
    switch steps.last {
    case .flawed(let acquisition): acquisition
    case .good, .start, nil: nil
    }
  }

  private init(steps: [AcquiredStep]) { self.steps = steps }

  /// The sequence that says only what is wrong.
  public init(flaw: Acquisition) { self.init(steps: [.flawed(flaw)]) }

  /// The sequence of these words; nil when there are none or more than 64.
  public init?(_ steps: [AcquiredStep]) {
    guard (1...64).contains(steps.count) else { return nil }
    self.init(steps: steps)
  }
}
