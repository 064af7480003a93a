/// The counts of attempts by anyone but the owner at this machine, and of attempts at anything but
/// the fingers and the passcode.
///
/// Each origin has a count of its own, and all of them share another, so that other people's
/// attempts use up none of the owner's, and many accounts or hosts gain no more attempts than one.
/// The owner's processes in a session elsewhere have a count of their own and no part in the shared
/// one. A passcode that the owner proves here clears the counts of others; one that another proves
/// clears what came from that origin.
public struct OtherAttempts: Hashable, Sendable {
  /// Misses of touches that others asked for.
  public private(set) var touches: Lockout
  /// Wrong passcodes of all others together.
  public private(set) var together: PasscodeThrottle
  /// Wrong passcodes by origin.
  public private(set) var origins: GuessCounts<Origin>
  /// Wrong passwords for the keybag of a device whose passcode PAM judges.
  public private(set) var keybag: PasscodeThrottle
  /// Misses of possession.
  public package(set) var possession: Lockout
  /// Wrong application passwords by item.
  public private(set) var items: GuessCounts<UInt128>

  /// The most origins with a count of their own.
  public static let originsMax = 16
  /// The most items with a count of their own.
  public static let itemsMax = 32

  /// The counts of a device that nobody else has tried, by default.
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
  public var isEmpty: Bool { self == Self.none }

  /// The counts of a device that nobody else has tried.
  static let none = Self()

  /// The throttle for a passcode from `origin`: the stricter of its own and the shared one.
  func passcodes(
    from origin: Origin,
    of owner: UInt32,
    under delays: PasscodeDelays,
    at now: Moment
  ) -> PasscodeThrottle {
    guard origin.isAmongOthers(of: owner) else { return origins[origin] }
    return origins[origin].stricter(together, under: delays, at: now)
  }

  mutating func charge(
    _ guess: Guess,
    on owner: UInt32,
    under rules: DeviceAttempts.Rules,
    at now: Moment,
    beside held: Set<UInt128>
  ) -> Tally.Charge {
    switch guess {
    case .touch: _ = touches.charge(under: rules.lockout, and: rules.policyLockout, at: now)
    case .passcode(let origin):
      _ = origins.charge(origin, under: rules.delays, at: now)
      if origin.isAmongOthers(of: owner) { _ = together.charge(under: rules.delays, at: now) }
    case .possession:
      _ = possession.charge(under: rules.lockout, and: rules.policyLockout, at: now)
    case .keybag: _ = keybag.charge(under: rules.delays, at: now)
    case .item(let item):
      return items.charge(item, under: rules.delays, at: now, beside: held)
    }
    return .charged
  }

  mutating func refund(
    _ guess: Guess,
    _ refund: Tally.Refund,
    on owner: UInt32,
    under rules: DeviceAttempts.Rules
  ) {
    switch guess {
    case .touch: touches.refunded(refund, under: rules.lockout)
    case .passcode(let origin):
      origins.refunded(origin, refund, under: rules.delays)
      if origin.isAmongOthers(of: owner) { together.refunded(refund, under: rules.delays) }
    case .possession: possession.refunded(refund, under: rules.lockout)
    case .keybag: keybag.refunded(refund, under: rules.delays)
    case .item(let item): items.refunded(item, refund, under: rules.delays)
    }
  }

  mutating func proven(
    _ guess: Guess,
    _ refund: Tally.Refund,
    on owner: UInt32,
    under rules: DeviceAttempts.Rules,
    beside held: Set<UInt128>
  ) {
    switch guess {
    case .touch: touches.matched()
    case .passcode(let origin):
      if origin.isAmongOthers(of: owner) {
        together.forgive(origins.charged(to: origin), refund, under: rules.delays)
      }
      origins.proven(origin)
    case .possession: possession.matched()
    case .keybag: keybag.proven()
    case .item(let item): items.proven(item, beside: held)
    }
  }

  /// The owner proved the passcode at this machine; counts of passwords it does not open remain.
  mutating func ownerProven() {
    touches = Lockout()
    possession = Lockout()
    together = PasscodeThrottle()
    origins = GuessCounts(capacity: Self.originsMax)
  }

  /// Restarts refusals from an earlier boot; true if that must be made durable.
  mutating func booted(at now: Moment) -> Bool {
    guard !isEmpty else { return false }
    let before = self
    _ = touches.booted(at: now)
    _ = possession.booted(at: now)
    forEachThrottle { _ = $0.booted(at: now) }
    return self != before
  }

  /// Postpones the end of passcode refusals by `duration`.
  mutating func postpone(by duration: Duration) {
    guard !isEmpty else { return }
    forEachThrottle { $0.postpone(by: duration) }
  }

  /// Raises the shared, keybag and item counts to at least `heights`, and restarts every refusal.
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

  /// Calls `body` with every count, and whether it is one of passcodes and passwords.
  package mutating func eachCount(_ body: (inout Tally, _ isOfPasscode: Bool) -> Void) {
    func change(_ lockout: inout Lockout) {
      var tally = lockout.tally
      body(&tally, false)
      lockout = Lockout(tally: tally)
    }
    change(&touches)
    change(&possession)
    forEachThrottle { throttle in
      var tally = throttle.tally
      body(&tally, true)
      throttle = PasscodeThrottle(tally: tally)
    }
  }

  private mutating func forEachThrottle(_ body: (inout PasscodeThrottle) -> Void) {
    body(&together)
    body(&keybag)
    origins.forEach(body)
    items.forEach(body)
  }
}
