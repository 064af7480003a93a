/// How fast passcodes may be tried: a table from `policies/passcode-delay`.
public struct PasscodeDelays: Hashable, Sendable {
  /// The table's name.
  public var name: String
  /// Refusals by wrong passcodes in a row; after `locksAt` only erasing the device helps.
  public var delays: DelayTable

  /// The table with these values.
  public init(name: String, delays: DelayTable) {
    self.name = name
    self.delays = delays
  }
}

/// Decides whether another passcode may be judged; the same order of effects as ``Lockout``.
///
/// A refusal names the time that is left. Nothing ever sleeps.
public struct PasscodeThrottle: Hashable, Sendable {
  /// What must be durable.
  public private(set) var tally: Tally

  /// The throttle that `tally` stands for.
  public init(tally: Tally = Tally()) { self.tally = tally }

  /// Whether another passcode may be judged at `now`.
  public func standing(under delays: PasscodeDelays, at now: Moment) -> Standing {
    tally.standing(under: delays.delays, at: now)
  }

  /// Asks to judge one passcode and counts it as wrong until it is judged otherwise.
  public mutating func charge(under delays: PasscodeDelays, at now: Moment) -> Tally.Charge {
    switch standing(under: delays, at: now) {
    case .locked: return .locked
    case .refused(let remaining): return .refused(for: remaining)
    case .open:
      tally.charge(under: delays.delays, at: now)
      return .charged
    }
  }

  /// The charged passcode was right.
  public mutating func proven() { tally = Tally() }

  /// The charged attempt ended with nothing submitted and nothing judged.
  ///
  /// The refusal before it had passed, or the charge would have been refused; so none comes back.
  public mutating func refunded(under delays: PasscodeDelays) { tally.refund(under: delays.delays) }

  /// Counts at least `failures`, and refuses anew as after the last of them.
  mutating func raise(to failures: UInt32, under delays: PasscodeDelays, at now: Moment) {
    tally.raise(to: failures, under: delays.delays, at: now)
  }

  /// Takes `failures` back, which were somebody's who proved to know the passcode.
  mutating func forgive(_ failures: UInt32) { tally.forgive(failures) }

  /// Lets a refusal end later by `duration`.
  mutating func postpone(by duration: Duration) { tally.postpone(by: duration) }

  /// The one of both that allows less.
  func stricter(
    _ other: Self,
    under delays: PasscodeDelays,
    at now: Moment
  ) -> Self {
    let standing = standing(under: delays, at: now)
    return standing.stricter(other.standing(under: delays, at: now)) == standing ? self : other
  }

  /// The device booted; true when the tally changed and must be made durable.
  public mutating func booted(at now: Moment) -> Bool { tally.rebase(at: now) }
}
