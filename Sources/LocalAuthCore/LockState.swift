/// Whether a device is locked, and whether it was unlocked since it started.
///
/// | event          | beforeFirstUnlock | unlocked   | locked     |
/// |----------------|-------------------|------------|------------|
/// | unlock passcode| `unlocked`        | `unlocked` | `unlocked` |
/// | unlock finger  | refused           | `unlocked` | `unlocked` |
/// | lock           | stays             | `locked`   | stays      |
/// | restart        | stays             | before     | before     |
///
/// An evaluation never changes it.
public struct LockState: Hashable, Sendable {
  /// The three states.
  public enum Position: String, Hashable, Sendable {
    case beforeFirstUnlock
    case unlocked
    case locked
  }

  /// What opens a lock.
  public enum Key: Hashable, Sendable {
    case passcode
    case finger
  }

  /// Where the device stands.
  public private(set) var position: Position

  /// A device that just started: one without a passcode has nothing to be locked with.
  public init(hasPasscode: Bool) { position = hasPasscode ? .beforeFirstUnlock : .unlocked }

  /// Unlocks; false when `key` cannot do it, because a finger never does the first unlock.
  public mutating func unlock(with key: Key) -> Bool {
    switch (position, key) {
    case (.beforeFirstUnlock, .finger): return false
    case (.beforeFirstUnlock, .passcode), (.unlocked, .passcode), (.unlocked, .finger),
      (.locked, .passcode), (.locked, .finger):
      position = .unlocked
      return true
    }
  }

  /// Locks; true when that changed something.
  public mutating func lock() -> Bool {
    switch position {
    case .unlocked:
      position = .locked
      return true
    case .beforeFirstUnlock, .locked: return false
    }
  }
}
