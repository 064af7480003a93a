/// When a finger is not enough because the passcode has not been used for too long.
///
/// The shipped limits are Apple's: the passcode is needed after a boot, 48 hours after the last
/// success of any kind, and 156 hours after the last passcode unless a finger matched within 4
/// hours.
public struct FreshnessRules: Hashable, Sendable {
  // In nanoseconds, because the machines calculate in 64-bit integers.
  @usableFromInline var any: Int64?
  @usableFromInline var passcode: Int64?
  @usableFromInline var grace: Int64?

  /// Longest time since any success, or nil for no limit.
  public var anyWithin: Duration? {
    get { any.map(Duration.init(wholeNanoseconds:)) }
    set { any = newValue?.wholeNanoseconds }
  }

  /// Longest time since the passcode was last used, or nil for no limit.
  public var passcodeWithin: Duration? {
    get { passcode.map(Duration.init(wholeNanoseconds:)) }
    set { passcode = newValue?.wholeNanoseconds }
  }

  /// A match this recent stands in for ``passcodeWithin``.
  public var unlessMatchedWithin: Duration? {
    get { grace.map(Duration.init(wholeNanoseconds:)) }
    set { grace = newValue?.wholeNanoseconds }
  }

  /// The rules with these limits, each at most 292 years.
  public init(
    anyWithin: Duration? = nil,
    passcodeWithin: Duration? = nil,
    unlessMatchedWithin: Duration? = nil
  ) {
    any = anyWithin?.wholeNanoseconds
    passcode = passcodeWithin?.wholeNanoseconds
    grace = unlessMatchedWithin?.wholeNanoseconds
  }
}

/// When a device last saw a passcode and a match; durable, so that no restart forgets it.
public struct Freshness: Hashable, Sendable {
  /// A time on the boot clock, with the boot it belongs to.
  public struct Stamp: Hashable, Sendable {
    /// The time.
    public var at: BootInstant
    /// Its boot.
    public var boot: BootIdentifier

    /// The stamp of `at` in `boot`.
    public init(at: BootInstant, boot: BootIdentifier) {
      self.at = at
      self.boot = boot
    }
  }

  /// The last proven or newly set passcode.
  public private(set) var passcode: Stamp?
  /// The last matching finger.
  public private(set) var match: Stamp?

  /// The record with these stamps.
  public init(passcode: Stamp? = nil, match: Stamp? = nil) {
    self.passcode = passcode
    self.match = match
  }

  /// The passcode was proven or set at `now`.
  public mutating func passcodeUsed(at now: Moment) {
    passcode = Stamp(at: now.boot, boot: now.bootID)
  }

  /// A finger matched at `now`.
  public mutating func matched(at now: Moment) { match = Stamp(at: now.boot, boot: now.bootID) }

  /// Whether biometry must wait for the passcode.
  ///
  /// A stamp from another boot says nothing about elapsed time and counts as no stamp at all, so
  /// the first evaluation after a boot always needs the passcode.
  @inlinable
  @inline(__always)
  public func needsPasscode(under rules: FreshnessRules, at now: Moment) -> Bool {
    guard let sincePasscode = age(of: passcode, at: now) else { return true }
    let sinceMatch = age(of: match, at: now)
    if let limit = rules.any, min(sincePasscode, sinceMatch ?? sincePasscode) > limit {
      return true
    }
    guard let limit = rules.passcode, sincePasscode > limit else { return false }
    guard let grace = rules.grace, let sinceMatch else { return true }
    return sinceMatch > grace
  }

  /// The age in nanoseconds, saturating at the end of `Int64`; nil if unknown.
  @inlinable
  @inline(__always)
  func age(of stamp: Stamp?, at now: Moment) -> Int64? {
    guard let stamp, stamp.boot == now.bootID, now.boot >= stamp.at else { return nil }
    return now.boot.nanoseconds(since: stamp.at)
  }
}
