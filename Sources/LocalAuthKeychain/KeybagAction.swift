public import LocalAuthCore

extension Keybag {
  /// What the caller must do next.
  public enum Action: Hashable, Sendable {
    case nothing
    /// Of the keys that the passcode opened, keep those of these classes and wipe the others.
    case install(ProtectionClassSet)
    /// Wipe these keys that were opened or made for the event; those already in memory stay.
    case discard(ProtectionClassSet)
    /// Restore the keys of these classes from what ``seal(_:)`` wrapped.
    case reopen(ProtectionClassSet)
    /// Call ``timePassed(at:)`` at this time.
    case sealAt(BootInstant)
    /// Wrap these keys so that a finger can restore them, and wipe them.
    case seal(ProtectionClassSet)
    /// Wipe what ``seal(_:)`` wrapped.
    case wipeSealed
    /// Wipe these keys, and everything sealed.
    case wipe(ProtectionClassSet)
    /// Make the change and this record durable in one commit, then call ``committed()`` or
    /// ``commitFailed()``.
    case commit(PasscodeChange, KeybagRecord)
    /// The change is durable: keep the keys `kept`; wipe the keys `wiped` and their sealed forms.
    case adopt(kept: ProtectionClassSet, wiped: ProtectionClassSet)
    /// Nothing changes; wipe any keys that came with the event.
    case refuse(Refusal)
  }

  /// Why an event changed nothing.
  public enum Refusal: Hashable, Sendable {
    case passcodeNotSet
    case passcodeAlreadySet
    /// A finger opens only what the passcode has opened since the start and nothing has revoked
    /// since.
    case passcodeNeeded
    /// The device was locked, restarted or given another passcode after the ticket was drawn.
    case late
    /// A change of the passcode is being committed.
    case busy
  }
}
