/// How far a chain was verified on this device, which the guarded ledger keeps.
///
/// The number never becomes lower, and the digest at a number never another, unless a person accepts exactly
/// that by a decision that names both places.
public struct SyncWatermark: Hashable, Sendable {
  /// What has a watermark.
  public enum Subject: Hashable, Sendable {
    /// The circle's log.
    case circle(SyncDigest)
    /// A zone of a circle.
    case zone(ZoneName, circle: SyncDigest)
  }

  /// A person's word that a chain may begin again elsewhere, after the passcode was proven.
  public struct Acceptance: Hashable, Sendable {
    /// What it is about.
    public let subject: Subject
    /// Where the device is.
    public let from: ChainPlace
    /// Where it is to be.
    public let to: ChainPlace

    /// The word that `subject` may go from one place to the other.
    public init(_ subject: Subject, from: ChainPlace, to: ChainPlace) {
      self.subject = subject
      self.from = from
      self.to = to
    }
  }

  /// What it is of.
  public let subject: Subject
  /// The last place that was verified.
  public private(set) var place: ChainPlace

  /// The watermark of `subject` at `place`.
  public init(_ subject: Subject, at place: ChainPlace = .beginning) {
    self.subject = subject
    self.place = place
  }

  /// Moves forward; false for a lower number, and for another digest at the same.
  public mutating func advance(to next: ChainPlace) -> Bool {
    guard next.number > place.number || next == place else { return false }
    place = next
    return true
  }

  /// Moves where a person accepted it; false for a decision about anything else.
  public mutating func accept(_ acceptance: Acceptance) -> Bool {
    guard acceptance.subject == subject, acceptance.from == place else { return false }
    place = acceptance.to
    return true
  }
}
