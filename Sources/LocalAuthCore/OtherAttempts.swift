/// Attempts on a device that are not its owner's at this machine, or not at its passcode.
///
/// Each origin has a count of its own, and all of them have one together: other people's tries use up nobody's own,
/// and many accounts or hosts gain no more than one. The owner's own processes in a session elsewhere have their count
/// and no part in that of all. What the owner proves here clears what others did; what another proves clears what came
/// from there.
public struct OtherAttempts: Hashable, Sendable {
  /// Misses of fingers that others asked for.
  public private(set) var touches: Lockout
  /// Wrong passcodes of all others together.
  public private(set) var together: PasscodeThrottle
  /// Wrong passcodes by origin.
  public private(set) var origins: GuessCounts<Origin>
  /// Wrong passwords for a keybag whose device has its passcode judged by PAM.
  public private(set) var keybag: PasscodeThrottle
  /// Misses of what a person has.
  public package(set) var possession: Lockout
  /// Wrong application passwords by item.
  public private(set) var items: GuessCounts<UInt128>

  /// The most origins with a count of their own.
  public static let originsMax = 16
  /// The most items with a count of their own.
  public static let itemsMax = 32

  /// Those of a device that nobody else has tried, unless said otherwise.
  public init(
    touches: Lockout = Lockout(),
    together: PasscodeThrottle = PasscodeThrottle(),
    origins: GuessCounts<Origin> = GuessCounts(capacity: originsMax),
    keybag: PasscodeThrottle = PasscodeThrottle(),
    possession: Lockout = Lockout(),
    items: GuessCounts<UInt128> = GuessCounts(capacity: itemsMax)
  ) {
    self.touches = touches
    self.together = together
    self.origins = origins
    self.keybag = keybag
    self.possession = possession
    self.items = items
  }

  /// Whether nothing is counted.
  public var isEmpty: Bool { self == Self() }

  /// The count that a passcode from `origin` is refused by: its own, or that of all.
  func passcodes(
    from origin: Origin,
    of owner: UInt32,
    under delays: PasscodeDelays,
    at now: Moment
  ) -> PasscodeThrottle {
    guard origin != .user(owner) else { return origins[origin] }
    return origins[origin].stricter(together, under: delays, at: now)
  }

  mutating func charge(
    _ guess: Guess,
    on owner: UInt32,
    under rules: DeviceAttempts.Rules,
    at now: Moment
  ) {
    switch guess {
    case .touch: _ = touches.charge(under: rules.lockout, and: rules.policyLockout, at: now)
    case .passcode(let origin):
      _ = origins.charge(origin, under: rules.delays, at: now)
      if origin != .user(owner) { _ = together.charge(under: rules.delays, at: now) }
    case .possession:
      _ = possession.charge(under: rules.lockout, and: rules.policyLockout, at: now)
    case .keybag: _ = keybag.charge(under: rules.delays, at: now)
    case .item(let item): _ = items.charge(item, under: rules.delays, at: now)
    }
  }

  mutating func refund(_ guess: Guess, on owner: UInt32, under rules: DeviceAttempts.Rules) {
    switch guess {
    case .touch: touches.refunded(under: rules.lockout)
    case .passcode(let origin):
      origins.refunded(origin, under: rules.delays)
      if origin != .user(owner) { together.refunded(under: rules.delays) }
    case .possession: possession.refunded(under: rules.lockout)
    case .keybag: keybag.refunded(under: rules.delays)
    case .item(let item): items.refunded(item, under: rules.delays)
    }
  }

  mutating func proven(_ guess: Guess, on owner: UInt32) {
    switch guess {
    case .touch: touches.matched()
    case .passcode(let origin):
      if origin != .user(owner) { together.forgive(origins[origin].tally.failures) }
      origins.proven(origin)
    case .possession: possession.matched()
    case .keybag: keybag.proven()
    case .item(let item): items.proven(item)
    }
  }

  /// The owner proved the passcode at this machine; passwords that it is not the key to stay counted.
  mutating func ownerProven() {
    touches = Lockout()
    possession = Lockout()
    together = PasscodeThrottle()
    origins = GuessCounts(capacity: Self.originsMax)
  }

  /// Starts refusals from an earlier boot over; true when that must be made durable.
  mutating func booted(at now: Moment) -> Bool {
    guard !isEmpty else { return false }
    let before = self
    _ = touches.booted(at: now)
    _ = possession.booted(at: now)
    forEachThrottle { _ = $0.booted(at: now) }
    return self != before
  }

  /// Lets refusals of passcodes end later by `duration`.
  mutating func postpone(by duration: Duration) {
    guard !isEmpty else { return }
    forEachThrottle { $0.postpone(by: duration) }
  }

  /// Counts at least so many, of every origin and every item.
  mutating func raise(
    to heights: CountHeights,
    under delays: PasscodeDelays,
    lasting: PasscodeDelays,
    at now: Moment
  ) {
    together.raise(to: heights.others, under: delays, at: now)
    origins.raise(to: 0, under: delays, at: now)
    keybag.raise(to: heights.keybag, under: lasting, at: now)
    items.raise(to: heights.items, under: lasting, at: now)
  }

  private mutating func forEachThrottle(_ body: (inout PasscodeThrottle) -> Void) {
    body(&together)
    body(&keybag)
    origins.forEach(body)
    items.forEach(body)
  }
}
