/// The access that a device's state gives to the items of a class.
public enum ClassAccess: Hashable, Sendable {
  /// The class key is available.
  case available
  /// The class key is not available now: -25308.
  case locked
  /// No class key exists, because no passcode is set: nothing can be added, and earlier items are
  /// lost.
  case absent
}

/// The states of a device that decide which class keys are available.
///
/// | state                   | ak aku | akpu   | ck cku | dk dku |
/// |-------------------------|--------|--------|--------|--------|
/// | before the first unlock | locked | locked | locked | open   |
/// | unlocked                | open   | open   | open   | open   |
/// | locked, in grace        | open   | open   | open   | open   |
/// | locked                  | locked | locked | open   | open   |
/// | no passcode             | open   | absent | open   | open   |
///
/// Reads, additions and queries for attributes alone are treated alike, because attributes are
/// encrypted under a class key too.
public enum DeviceState: String, CaseIterable, Hashable, Sendable {
  case beforeFirstUnlock
  case unlocked
  /// Locked for less than ``Keybag/grace``.
  case lockedInGrace
  case locked
  case noPasscode

  /// The access to items of `protection` in this state.
  public func access(to protection: ProtectionClass) -> ClassAccess {
    if opened.contains(protection) { return .available }
    return self == .noPasscode ? .absent : .locked
  }

  /// The classes whose keys are available.
  public var opened: ProtectionClassSet {
    switch self {
    case .beforeFirstUnlock: .always
    case .unlocked, .lockedInGrace: .all
    case .locked: [.always, .afterFirstUnlock]
    case .noPasscode: [.always, .afterFirstUnlock, .whenUnlocked.subtracting(.passcodeSet)]
    }
  }

  /// The lock state that a person is shown.
  public var lockState: LockState {
    switch self {
    case .beforeFirstUnlock: .beforeFirstUnlock
    case .unlocked, .noPasscode: .unlocked
    case .lockedInGrace, .locked: .locked
    }
  }
}

/// Whether a device is locked, as a person is shown it.
public enum LockState: String, Hashable, Sendable {
  /// The passcode was not proven since the device started.
  case beforeFirstUnlock
  /// The device was unlocked, or has no passcode to lock it with.
  case unlocked
  case locked
}
