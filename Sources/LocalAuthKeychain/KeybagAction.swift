public import LocalAuthCore

extension Keybag {
  /// What the caller does next.
  public enum Action: Hashable, Sendable {
    case nothing
    /// Of the keys that the passcode opened keep those of these classes, and wipe the others.
    case install(ProtectionClassSet)
    /// Wipe these keys that were opened or made for the event; those already in memory stay.
    case discard(ProtectionClassSet)
    /// Bring the keys of these classes back from what ``seal(_:)`` left.
    case reopen(ProtectionClassSet)
    /// Call ``timePassed(at:)`` then.
    case sealAt(BootInstant)
    /// Wrap these keys so that a finger can bring them back, and wipe them.
    case seal(ProtectionClassSet)
    /// Wipe what ``seal(_:)`` left.
    case wipeSealed
    /// Wipe these keys, and everything sealed.
    case wipe(ProtectionClassSet)
    /// Make the change and this record durable at once; then ``committed()`` or ``commitFailed()``.
    case commit(PasscodeChange, KeybagRecord)
    /// The change is durable: keep these keys; wipe those, and what was sealed of them.
    case adopt(kept: ProtectionClassSet, wiped: ProtectionClassSet)
    /// Nothing changes; keys that came with the event are wiped.
    case refuse(Refusal)
  }

  /// Why an event changed nothing.
  public enum Refusal: Hashable, Sendable {
    case passcodeNotSet
    case passcodeAlreadySet
    /// A finger opens only what the passcode opened since the start and nothing revoked since.
    case passcodeNeeded
    /// The device was locked, restarted or given another passcode after the ticket was drawn.
    case late
    /// A change of the passcode is being committed.
    case busy
  }
}
