/// How fast passcodes may be tried: a table from `policies/passcode-delay`.
public struct PasscodeDelays: Hashable, Sendable {
  /// The table's name.
  public var name: String
  /// The refusals after wrong passcodes in a row; after `locksAt` only erasing the device helps.
  public var delays: DelayTable

  /// The table with these values.
  public init(name: String, delays: DelayTable) {
    self.name = name
    self.delays = delays
  }
}

/// Decides whether another passcode may be judged, in the same order of effects as ``Lockout``.
///
/// A refusal states the time left. Nothing ever sleeps.
public struct PasscodeThrottle: Hashable, Sendable {
  /// The durable state.
  public private(set) var tally: Tally

  /// The throttle with this tally.
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

  /// The charged attempt ended with nothing submitted and nothing judged; gives back what `refund` says.
  ///
  /// The previous refusal had passed, or the charge would have been refused, so none is restored.
  public mutating func refunded(_ refund: Tally.Refund = .all, under delays: PasscodeDelays) {
    tally.refund(refund, under: delays.delays)
  }

  /// Raises the count to at least `failures`, and starts the refusal that follows that many.
  mutating func raise(to failures: UInt32, under delays: PasscodeDelays, at now: Moment) {
    tally.raise(to: failures, under: delays.delays, at: now)
  }

  /// Subtracts `failures`, made by an origin that then proved the passcode; `refund` is what can be given back of the last.
  mutating func forgive(_ failures: UInt32, _ refund: Tally.Refund, under delays: PasscodeDelays) {
    tally.forgive(failures, refund, under: delays.delays)
  }

  /// Postpones the end of a refusal by `duration`.
  mutating func postpone(by duration: Duration) { tally.postpone(by: duration) }

  /// The stricter of the two throttles at `now`.
  func stricter(
    _ other: Self,
    under delays: PasscodeDelays,
    at now: Moment
  ) -> Self {
    let standing = standing(under: delays, at: now)
    return standing.stricter(other.standing(under: delays, at: now)) == standing ? self : other
  }

  /// The device booted; true if the tally changed and must be made durable.
  public mutating func booted(at now: Moment) -> Bool { tally.rebase(at: now) }
}
