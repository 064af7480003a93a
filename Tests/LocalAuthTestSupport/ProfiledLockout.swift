public import LocalAuthCore

/// A lockout with the profiles that it is always asked under.
public struct ProfiledLockout {
  private var machine: Lockout
  private let profile: LockoutProfile
  private let other: LockoutProfile?

  /// The lockout that `tally` stands for under `profile`, and under `other` where one is given.
  public init(tally: Tally, profile: LockoutProfile, and other: LockoutProfile? = nil) {
    machine = Lockout(tally: tally)
    self.profile = profile
    self.other = other
  }

  /// What is durable of it.
  public var tally: Tally { machine.tally }

  /// Whether another touch may be judged.
  public func standing(at now: Moment) -> Standing {
    machine.standing(under: profile, and: other, at: now)
  }

  /// Asks to judge a touch.
  public mutating func charge(at now: Moment) -> Tally.Charge {
    machine.charge(under: profile, and: other, at: now)
  }

  /// The charged touch matched.
  public mutating func matched() { machine.matched() }

  /// The passcode was proven.
  public mutating func passcodeProven() { machine.passcodeProven() }

  /// The device booted.
  public mutating func booted(at now: Moment) -> Bool { machine.booted(at: now) }
}
