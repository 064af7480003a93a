public import LocalAuthCore

/// What somebody has done so far before a sensor that runs on a model.
///
/// It is stored with the settings, so that the model's draws and the state of each finger go on after
/// a restart where they were.
public struct TouchHistory: Hashable, Sendable {
  /// The touches that the model drew; the next one has their number as its address.
  public private(set) var touches: UInt64 = 0
  private var states: [Finger: FingerState] = [:]

  /// A history without touches.
  public init() {}

  /// How `finger` was left by its last touch; nil before the first.
  public func state(of finger: Finger) -> FingerState? { states[finger] }

  /// Takes the number of one more touch.
  mutating func takeTouch() -> UInt64 {
    defer { touches &+= 1 }
    return touches
  }

  /// Notes how a touch leaves `finger`.
  mutating func leave(_ finger: Finger, _ state: FingerState) { states[finger] = state }
}

extension TouchHistory {
  /// Under what it is stored among the settings; nobody can set it.
  static let key = "touch-history"

  /// The history that `text` says.
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

  /// The touches, then each finger that touched and how it was left.
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
