/// What the hub did that an honest one does not.
///
/// Nothing of the answer was applied. Writing stops until a person acts; reading goes on.
public enum HubAlarm: Error, Hashable, Sendable {
  /// What was changed.
  public enum Tampering: UInt8, CaseIterable, Hashable, Sendable {
    /// An entry is of another circle or zone.
    case otherPlace = 1
    /// An entry is missing, repeated or out of order.
    case order = 2
    /// An entry's signature is not its author's, or its author was no member.
    case author = 3
    /// Its author had been removed before it was written.
    case removedAuthor = 4
    /// An entry knows less of the circle than the one before, or a circle that never was.
    case circle = 5
    /// An entry is sealed in another epoch than the circle says.
    case epoch = 6
    /// A record's body is not the one that was signed.
    case body = 7
    /// A record's body was left out.
    case missingBody = 8
    /// The manifest is not the one that a checkpoint was signed over.
    case checkpoint = 10
    /// The hub said that it took a push that it could not take.
    case answer = 11
  }

  /// Something was changed, left out, repeated or made up.
  case hubTampered(Tampering)
  /// The hub's chain ends before the place that was verified.
  case hubRolledBack(verified: ChainPlace, offered: ChainPlace)
  /// The hub shows another history than the one that was verified, here or to another device.
  case hubForked(ZoneName?, at: UInt64)
}
