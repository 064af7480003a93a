/// Why protected data cannot be used now.
public enum Obstacle: Equatable, Sendable {
  /// The device was not unlocked since it started.
  case beforeFirstUnlock
  /// The device is locked.
  case locked
  /// Nobody says how the device is; it may be locked.
  case unreachable
}

/// What a finger can do for the account now.
public enum Touch: Equatable, Sendable {
  /// It opens the account.
  case ready
  /// Too many misses: the passcode opens the account instead, and lets fingers count again.
  case lockedOut
  /// Too many wrong passcodes besides: none is judged for that long, or ever again if nobody says how long.
  case throttled(Duration?)
  /// What a finger opened is gone, with the passcode or the set of fingers that it was bound to; it can be made
  /// again after a login with the password.
  case gone
  /// The device has no passcode: it is never locked, and no finger opens anything.
  case noPasscode
  /// The device has no sensor or no finger.
  case unusable
}

/// What this device has of an account.
public enum Account: Equatable, Sendable {
  /// No account was ever made here.
  case none
  /// Its name came from a backup; what opens it is bound to another device.
  case keyless(name: String)
  /// It can be opened.
  case whole(name: String, touch: Touch)
}

/// What a look at the device found.
///
/// There is no account in a device that cannot be read: "not found" is believed of ``available(_:)`` alone.
public enum Look: Equatable, Sendable {
  case unavailable(Obstacle)
  case available(Account)
}

/// How an attempt to log in ended.
public enum LoginAnswer: Equatable, Sendable {
  /// The keychain opened the account.
  case opened(touch: Touch)
  /// Name or password were wrong, and nobody says which; that many times in a row by now.
  case wrong(times: Int)
  /// The person wants to type the password instead.
  case fallback
  /// The person said no.
  case canceled
  /// So many misses, or wrong passcodes, that nobody was asked once more.
  case missed
  /// Too many misses of the finger.
  case lockedOut
  /// The finger was right, but what it opened is gone.
  case touchGone
  /// The device was locked meanwhile.
  case locked
  /// Anything else, in words.
  case failed(String)
}

/// How an attempt to save ended.
public enum SaveAnswer: Equatable, Sendable {
  case saved
  /// The device was locked before the file was complete; what was there is unchanged.
  case locked
  case failed(String)
}
