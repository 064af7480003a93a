public import LocalAuthKeychain

/// Whether the protected data of a device can be opened.
public enum DataAvailability: Hashable, Sendable {
  /// The device was not unlocked since it started: only files of ``FileProtection/always`` open.
  case beforeFirstUnlock
  /// The device is unlocked, or has no passcode: every file opens.
  case available
  /// The device was locked; files of ``FileProtection/complete`` stay open until that moment.
  case ending(at: ContinuousClock.Instant)
  /// The device is locked: files of ``FileProtection/afterFirstUnlock`` and
  /// ``FileProtection/always`` open.
  case locked
  /// The service does not tell, because it ended or cannot be reached: what counts is the case before
  /// the first unlock.
  case unknown

  /// Whether a file of this protection can be opened.
  public func opens(_ protection: FileProtection) -> Bool {
    switch (self, protection) {
    case (.available, _), (.ending, _), (_, .always), (.locked, .afterFirstUnlock): true
    case (.locked, _), (.beforeFirstUnlock, _), (.unknown, _): false
    }
  }

  /// Apple's `isProtectedDataAvailable`: false from the moment on at which the device is locked.
  public var isAvailable: Bool { self == .available }

  /// Whether the content of a file of this protection may stay in memory.
  package func keeps(_ protection: FileProtection, isOpen: Bool) -> Bool {
    opens(protection) || (isOpen && protection == .completeUnlessOpen)
  }

  /// What becomes of a file of this protection that is open.
  func lease(_ protection: FileProtection) -> FileLease {
    switch (self, protection) {
    case (.ending(let end), .complete): .ends(at: end)
    // Such a file is one that stays as long as it is open.
    case (_, .completeUnlessOpen): .stays
    default: opens(protection) ? .stays : .lost
    }
  }
}

/// What becomes of the key of an open file.
enum FileLease: Hashable, Sendable {
  case stays
  case ends(at: ContinuousClock.Instant)
  case lost
}
