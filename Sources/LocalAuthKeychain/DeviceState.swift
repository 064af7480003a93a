/// What a device's state lets happen to an item of a class.
public enum ClassAccess: Hashable, Sendable {
  /// The class key is there.
  case available
  /// It is not now: -25308.
  case locked
  /// There is none, because no passcode is set: nothing can be added, and what was there is gone.
  case absent
}

/// The states of a device that decide which class keys there are.
///
/// | state                   | ak aku | akpu   | ck cku | dk dku |
/// |-------------------------|--------|--------|--------|--------|
/// | before the first unlock | locked | locked | locked | open   |
/// | unlocked                | open   | open   | open   | open   |
/// | locked, in grace        | open   | open   | open   | open   |
/// | locked                  | locked | locked | open   | open   |
/// | no passcode             | open   | absent | open   | open   |
///
/// Reads, additions and questions for attributes alone are alike, because attributes are encrypted
/// under a class key too.
public enum DeviceState: String, CaseIterable, Hashable, Sendable {
  case beforeFirstUnlock
  case unlocked
  /// Locked for less than ``Keybag/grace``.
  case lockedInGrace
  case locked
  case noPasscode

  /// What items of `protection` allow in this state.
  public func access(to protection: ProtectionClass) -> ClassAccess {
    if opened.contains(protection) { return .available }
    return self == .noPasscode ? .absent : .locked
  }

  /// The class keys that are there.
  public var opened: ProtectionClassSet {
    switch self {
    case .beforeFirstUnlock: .always
    case .unlocked, .lockedInGrace: .all
    case .locked: [.always, .afterFirstUnlock]
    case .noPasscode: [.always, .afterFirstUnlock, .whenUnlocked.subtracting(.passcodeSet)]
    }
  }

  /// What a person is told of it.
  public var lockState: LockState {
    switch self {
    case .beforeFirstUnlock: .beforeFirstUnlock
    case .unlocked, .noPasscode: .unlocked
    case .lockedInGrace, .locked: .locked
    }
  }
}

/// Whether a device is locked, as it is shown.
public enum LockState: String, Hashable, Sendable {
  /// It started, and its passcode was not proven since.
  case beforeFirstUnlock
  /// It was unlocked, or there is nothing to lock it with.
  case unlocked
  case locked
}
