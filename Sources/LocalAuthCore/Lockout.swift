/// When misses lock the sensor: a profile from `policies/lockout`.
public struct LockoutProfile: Hashable, Sendable {
  /// The profile's name.
  public var name: String
  /// The refusals after misses in a row; `locksAt` is the lock that only the passcode opens.
  public var delays: DelayTable
  /// Misses that end one evaluation with `authenticationFailed`, or nil for no such limit.
  public var missesPerEvaluation: UInt32?
  /// Misses in one evaluation before the fallback button shows.
  public var fallbackAfterMisses: UInt32
  /// Whether biometry is refused while no passcode is set.
  public var needsPasscode: Bool

  /// The profile with these values.
  public init(
    name: String,
    delays: DelayTable,
    missesPerEvaluation: UInt32? = nil,
    fallbackAfterMisses: UInt32 = 0,
    needsPasscode: Bool = false
  ) {
    self.name = name
    self.delays = delays
    self.missesPerEvaluation = missesPerEvaluation
    self.fallbackAfterMisses = fallbackAfterMisses
    self.needsPasscode = needsPasscode
  }
}

/// Decides whether another finger may be judged.
///
/// | event          | open                      | refused              | locked          |
/// |----------------|---------------------------|----------------------|-----------------|
/// | charge         | counts a miss, `.charged` | `.refused(for:)`     | `.locked`       |
/// | matched        | count 0                   | count 0              | count 0         |
/// | passcodeProven | count 0                   | count 0              | count 0         |
/// | booted         | restarts a passed refusal | restarts it in full  | nothing         |
///
/// Each event applies the device's profile, and the one that a policy names in addition; the
/// stricter of both holds. A delay that a policy's profile demands is written into the tally and so
/// holds for every policy of the device; its lock holds only under that profile. What the device's
/// profile forgets when it is asked alone is forgotten for every policy.
///
/// If the profile forgets, a charge adds to the failures that still count, and a boot also restarts
/// the time of forgetting. A lock is never forgotten.
///
/// A touch is counted as a miss before it is judged, and the caller makes ``tally`` durable before
/// it acts on ``Tally/Charge/charged``, so a crash can cost an attempt but never give one back.
/// `matched` follows only a touch that was charged while open.
public struct Lockout: Hashable, Sendable {
  /// The durable state.
  public private(set) var tally: Tally

  /// The lockout with this tally.
  public init(tally: Tally = Tally()) { self.tally = tally }

  /// Whether another touch may be judged at `now`.
  public func standing(
    under profile: LockoutProfile,
    and other: LockoutProfile? = nil,
    at now: Moment
  ) -> Standing {
    let standing = tally.standing(under: profile.delays, at: now)
    guard let other else { return standing }
    return standing.stricter(tally.standing(under: other.delays, at: now))
  }

  /// Whether only the passcode makes fingers usable again.
  @inlinable
  @inline(__always)
  func isLocked(under profile: LockoutProfile, and other: LockoutProfile?) -> Bool {
    profile.delays.isLocked(after: tally.failures)
      || other?.delays.isLocked(after: tally.failures) ?? false
  }

  /// Asks to judge one touch and counts it as a miss until it is judged otherwise.
  public mutating func charge(
    under profile: LockoutProfile,
    and other: LockoutProfile? = nil,
    at now: Moment
  ) -> Tally.Charge {
    // The same as `standing`, but in integers: the simulator makes hundreds of millions of charges.
    if isLocked(under: profile, and: other) { return .locked }
    if let left = tally.nanosecondsLeft(at: now) {
      return .refused(for: Duration(wholeNanoseconds: left))
    }
    tally.charge(under: profile.delays, other?.delays, at: now)
    return .charged
  }

  /// The charged touch was not judged; gives back what `refund` says.
  public mutating func refunded(_ refund: Tally.Refund = .all, under profile: LockoutProfile) {
    tally.refund(refund, under: profile.delays)
  }

  /// The charged touch matched.
  public mutating func matched() { tally = Tally() }

  /// The passcode was proven, which alone opens a lock.
  public mutating func passcodeProven() { tally = Tally() }

  /// The device booted; true if the tally changed and must be made durable.
  public mutating func booted(at now: Moment) -> Bool { tally.rebase(at: now) }
}
