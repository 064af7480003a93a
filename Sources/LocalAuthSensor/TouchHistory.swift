public import LocalAuthCore

/// The past touches of a person at a sensor that runs on a model.
///
/// It is stored with the settings, so the model's draws and the finger states continue after a
/// restart.
public struct TouchHistory: Hashable, Sendable {
  /// The number of touches the model has drawn, which is the address of the next one.
  public private(set) var touches: UInt64 = 0
  private var states: [Finger: FingerState] = [:]

  /// Creates an empty history.
  public init() {}

  /// Returns the state in which its last touch left `finger`; nil before the first.
  public func state(of finger: Finger) -> FingerState? { states[finger] }

  /// Takes the number of the next touch.
  mutating func takeTouch() -> UInt64 {
    defer { touches &+= 1 }
    return touches
  }

  /// Records the state in which a touch leaves `finger`.
  mutating func leave(_ finger: Finger, _ state: FingerState) { states[finger] = state }
}

extension TouchHistory {
  /// The key under which it is stored with the settings; nobody can set it.
  static let key = "touch-history"

  /// Parses a history.
  init?(text: String) {
    let parts = text.split(separator: ",", omittingEmptySubsequences: false)
    guard let count = parts.first.flatMap({ UInt64($0) }) else { return nil }
    touches = count
    for part in parts.dropFirst() {
      let pair = part.split(separator: "=", omittingEmptySubsequences: false)
      guard pair.count == 2, let finger = Finger(rawValue: String(pair[0])),
        let state = FingerState.allCases.first(where: { $0.word == pair[1] })
      else { return nil }
      states[finger] = state
    }
  }

  /// The number of touches, then each finger that touched with its state.
  var text: String {
    let fingers = Finger.allCases.compactMap { finger in
      states[finger].map { "\(finger.rawValue)=\($0.word)" }
    }
    return ([String(touches)] + fingers).joined(separator: ",")
  }
}

extension FingerState {
  fileprivate var word: String {
    switch self {
    case .good: "good"
    case .impaired: "impaired"
    }
  }
}
