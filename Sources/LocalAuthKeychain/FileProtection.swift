/// When a protected file can be opened; the names and rules are those of Apple's Data Protection.
public enum FileProtection: UInt8, CaseIterable, Hashable, Sendable {
  /// While the device is unlocked, and for ``Keybag/grace`` after that.
  case complete = 0
  /// As ``complete``, but it can be created and written at any time, and stays open once it is.
  case completeUnlessOpen = 1
  /// From the first unlock on.
  case afterFirstUnlock = 2
  /// Always; only the device is needed.
  case none = 3

  /// The class whose key opens the keys of such files.
  public var protectionClass: ProtectionClass {
    switch self {
    case .complete, .completeUnlessOpen: .whenUnlocked
    case .afterFirstUnlock: .afterFirstUnlock
    case .none: .always
    }
  }
}
