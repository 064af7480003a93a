/// A finger, by the name that fprintd gives it.
public enum Finger: String, CaseIterable, Hashable, Sendable {
  case leftThumb = "left-thumb"
  case leftIndex = "left-index-finger"
  case leftMiddle = "left-middle-finger"
  case leftRing = "left-ring-finger"
  case leftLittle = "left-little-finger"
  case rightThumb = "right-thumb"
  case rightIndex = "right-index-finger"
  case rightMiddle = "right-middle-finger"
  case rightRing = "right-ring-finger"
  case rightLittle = "right-little-finger"

  /// The finger called `name`; the ending `-finger` may be left out.
  public init?(named name: String) {
    guard let finger = Self(rawValue: name) ?? Self(rawValue: name + "-finger") else { return nil }
    self = finger
  }
}

/// What a reader that keeps the prints itself says of them.
public struct EnrolledPrints: Hashable, Sendable {
  /// The fingers.
  public var fingers: [Finger]
  /// Stands for the set; never 0.
  public var token: UInt64

  /// These fingers, in the set that `token` stands for.
  public init(fingers: [Finger], token: UInt64) {
    self.fingers = fingers
    self.token = token
  }
}

/// Names one enrolled set of fingers.
///
/// The generation grows by one with every change and is never reused, so that adding a finger and
/// removing it again yields a new set, which a holder of the old name notices.
public struct EnrolmentSet: Hashable, Sendable {
  /// The enrolled fingers, in the order of their enrolment.
  public var fingers: [Finger]
  /// The number of changes so far.
  public var generation: UInt64

  /// The set with these fingers after `generation` changes.
  public init(fingers: [Finger] = [], generation: UInt64 = 0) {
    self.fingers = fingers
    self.generation = generation
  }
}
