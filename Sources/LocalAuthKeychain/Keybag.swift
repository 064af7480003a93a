public import LocalAuthCore

/// Decides which class keys of a device are in memory, and when they are loaded, replaced and
/// wiped.
///
/// | event          | no passcode | before    | unlocked | grace       | locked       |
/// |----------------|-------------|-----------|----------|-------------|--------------|
/// | passcodeOpened | refused     | `install` | unlocked | unlocked    | `install` A  |
/// | fingerMatched  | refused     | refused   | unlocked | unlocked    | `reopen` A   |
/// | lock           | nothing     | nothing   | `sealAt` | nothing     | nothing      |
/// | timePassed     | nothing     | nothing   | nothing  | `seal` A    | nothing      |
/// | fingersRevoked | nothing     | nothing   | nothing  | no `reopen` | `wipeSealed` |
/// | restarted      | nothing     | `wipe`    | `wipe`   | `wipe`      | `wipe`       |
/// | setPasscode    | `commit`    | refused   | refused  | refused     | refused      |
/// | changePasscode | refused     | `commit`  | `commit` | `commit`    | `commit`     |
/// | removePasscode | refused     | `commit`  | `commit` | `commit`    | `commit`     |
///
/// A stands for the classes that only an unlocked device opens. The keybag itself holds no key. A
/// passcode change is durable before anything in memory follows it: keys are made and wrapped, the
/// commit replaces the keybag as a whole, and only ``committed()`` says what to keep and what to
/// wipe. While the passcode is being removed, the class that ends with it is locked, so that no
/// addition is acknowledged and then lost.
public struct Keybag: Hashable, Sendable {
  /// How long the keys of an unlocked device stay after locking; Apple's 10 seconds.
  public static let grace: Duration = .seconds(10)

  /// Marks when an unlock began; void after a lock, a restart or a passcode change.
  public struct Ticket: Hashable, Sendable {
    fileprivate let number: UInt64
  }

  private enum State: Hashable, Sendable {
    case bare
    case beforeFirstUnlock
    case unlocked
    /// `isRevoked` says that no finger may restore the keys that will be wiped.
    case grace(until: BootInstant, isRevoked: Bool)
    case locked(isSealed: Bool)
  }

  private enum Pending: Hashable, Sendable {
    case none
    case committing(PasscodeChange, KeybagRecord, restarted: Bool)
  }

  /// The durable state.
  public private(set) var record: KeybagRecord
  private var state: State
  private var pending: Pending = .none
  private var tickets: UInt64 = 0

  /// Creates the keybag of a device that just started.
  public init(_ record: KeybagRecord) {
    self.record = record
    state = record.hasPasscode ? .beforeFirstUnlock : .bare
  }

  /// The state of the device at `now`; see ``DeviceState/access(to:)``.
  public func deviceState(at now: BootInstant) -> DeviceState {
    switch state {
    case .bare: .noPasscode
    case .beforeFirstUnlock: .beforeFirstUnlock
    case .unlocked: .unlocked
    case .grace(let until, _): now < until ? .lockedInGrace : .locked
    case .locked: .locked
    }
  }

  /// When the keys of a device go that was locked a moment ago; nil in every other state.
  public var graceEnd: BootInstant? {
    if case .grace(let until, _) = state { until } else { nil }
  }

  /// Whether the device awaits its first unlock, which only the passcode can do.
  public var isBeforeFirstUnlock: Bool { state == .beforeFirstUnlock }

  /// The access to items of `protection` at `now`; the clock decides, not when the timer fired.
  public func access(to protection: ProtectionClass, at now: BootInstant) -> ClassAccess {
    if case .committing(.remove(_, let destroyed), _, _) = pending, destroyed.contains(protection) {
      return .locked
    }
    return deviceState(at: now).access(to: protection)
  }

  /// The access to an item wrapped under key number `key` of `protection`.
  public func access(
    to protection: ProtectionClass,
    key: UInt64,
    at now: BootInstant
  ) -> ClassAccess {
    record.hasDestroyed(protection, key) ? .absent : access(to: protection, at: now)
  }

  /// Begins an unlock, whose keys arrive later.
  public func beginUnlock() -> Ticket { Ticket(number: tickets) }

  /// Records that the passcode opened the class keys, for the unlock that `ticket` began.
  public mutating func passcodeOpened(_ ticket: Ticket) -> Action {
    guard ticket.number == tickets else { return .discard(.all) }
    switch state {
    case .bare: return .refuse(.passcodeNotSet)
    case .beforeFirstUnlock:
      state = .unlocked
      return .install(.all)
    case .unlocked, .grace:
      state = .unlocked
      return .discard(.all)
    case .locked:
      state = .unlocked
      return .install(.whenUnlocked)
    }
  }

  /// Records that a finger matched, for the unlock that `ticket` began.
  public mutating func fingerMatched(_ ticket: Ticket) -> Action {
    guard ticket.number == tickets else { return .refuse(.late) }
    switch state {
    case .bare: return .refuse(.passcodeNotSet)
    case .beforeFirstUnlock, .locked(false), .grace(_, true): return .refuse(.passcodeNeeded)
    case .unlocked, .grace(_, false):
      state = .unlocked
      return .nothing
    case .locked(true):
      state = .unlocked
      return .reopen(.whenUnlocked)
    }
  }

  /// Locks the device.
  public mutating func lock(at now: BootInstant) -> Action {
    tickets += 1
    switch state {
    case .unlocked:
      let until = now + Self.grace
      state = .grace(until: until, isRevoked: false)
      return .sealAt(until)
    case .bare, .beforeFirstUnlock, .grace, .locked: return .nothing
    }
  }

  /// Ends a grace period that is over; called when the timer of ``Action/sealAt(_:)`` fires, or at
  /// any other time.
  public mutating func timePassed(at now: BootInstant) -> Action {
    switch state {
    case .grace(let until, let isRevoked):
      guard now >= until else { return .sealAt(until) }
      state = .locked(isSealed: !isRevoked)
      return isRevoked ? .wipe(.whenUnlocked) : .seal(.whenUnlocked)
    case .bare, .beforeFirstUnlock, .unlocked, .locked: return .nothing
    }
  }

  /// Lets only the passcode unlock from now on.
  ///
  /// The reason is too many misses, a change of the enrolled set, or too long without the passcode.
  public mutating func fingersRevoked() -> Action {
    switch state {
    case .locked(true):
      state = .locked(isSealed: false)
      return .wipeSealed
    case .grace(let until, _):
      state = .grace(until: until, isRevoked: true)
      return .nothing
    case .bare, .beforeFirstUnlock, .unlocked, .locked(false): return .nothing
    }
  }

  /// Records a restart of the device: memory is empty, or must be wiped.
  public mutating func restarted() -> Action {
    tickets += 1
    if case .committing(let change, let next, _) = pending {
      pending = .committing(change, next, restarted: true)
    }
    guard record.hasPasscode else { return .nothing }
    state = .beforeFirstUnlock
    return .wipe(.all.subtracting(.always))
  }

  /// Begins setting a first passcode, which also unlocks.
  public mutating func setPasscode() -> Action {
    switch state {
    case .bare:
      let next = KeybagRecord(hasPasscode: true, passcodeSetKeys: record.passcodeSetKeys &+ 1)
      let rewrapped = DeviceState.noPasscode.opened.subtracting(.always)
      return begin(.set(rewrapped: rewrapped, created: .passcodeSet), next)
    case .beforeFirstUnlock, .unlocked, .grace, .locked: return .refuse(.passcodeAlreadySet)
    }
  }

  /// Begins changing the passcode; the old one was proven and has opened every class key.
  public mutating func changePasscode() -> Action {
    switch state {
    case .bare: .refuse(.passcodeNotSet)
    case .beforeFirstUnlock, .unlocked, .grace, .locked:
      begin(.change(rewrapped: .all.subtracting(.always)), record)
    }
  }

  /// Begins removing the passcode; it was proven and has opened every class key.
  public mutating func removePasscode() -> Action {
    switch state {
    case .bare: return .refuse(.passcodeNotSet)
    case .beforeFirstUnlock, .unlocked, .grace, .locked:
      let next = KeybagRecord(hasPasscode: false, passcodeSetKeys: record.passcodeSetKeys)
      let rewrapped = DeviceState.noPasscode.opened.subtracting(.always)
      return begin(.remove(rewrapped: rewrapped, destroyed: .passcodeSet), next)
    }
  }

  private mutating func begin(_ change: PasscodeChange, _ next: KeybagRecord) -> Action {
    switch pending {
    case .none:
      pending = .committing(change, next, restarted: false)
      return .commit(change, next)
    case .committing: return .refuse(.busy)
    }
  }

  /// Completes the pending change, which is durable now.
  public mutating func committed() -> Action {
    guard case .committing(let change, let next, let restarted) = pending else { return .nothing }
    pending = .none
    record = next
    // A ticket for the old passcode proves nothing about the new one.
    tickets += 1
    switch change {
    case .set(_, let created):
      state = restarted ? .beforeFirstUnlock : .unlocked
      if restarted { return .adopt(kept: [], wiped: .all.subtracting(.always)) }
      return .adopt(kept: created, wiped: [])
    case .change(let rewrapped):
      return .adopt(kept: [], wiped: rewrapped.subtracting(heldAfterChange))
    case .remove(let rewrapped, let destroyed):
      state = .bare
      // After a restart in between there is nothing to keep: the device key opens them on demand.
      return .adopt(kept: restarted ? [] : rewrapped, wiped: destroyed)
    }
  }

  /// Drops the pending change, which could not be made durable; everything stays as it was.
  public mutating func commitFailed() -> Action {
    guard case .committing(let change, _, _) = pending else { return .nothing }
    pending = .none
    switch change {
    case .set(_, let created): return .discard(created)
    case .change(let rewrapped): return .discard(rewrapped.subtracting(heldAfterChange))
    case .remove(let rewrapped, let destroyed):
      return .discard(rewrapped.union(destroyed).subtracting(heldAfterChange))
    }
  }

  /// The keys in memory that a passcode change leaves alone.
  private var heldAfterChange: ProtectionClassSet {
    switch state {
    case .bare: DeviceState.noPasscode.opened
    case .beforeFirstUnlock: DeviceState.beforeFirstUnlock.opened
    case .unlocked, .grace: .all
    case .locked: DeviceState.locked.opened
    }
  }
}
