public import LocalAuthCore

/// A lockout with the profiles that it is always asked under.
public struct ProfiledLockout {
  private var machine: Lockout
  private let profile: LockoutProfile
  private let other: LockoutProfile?

  public init(tally: Tally, profile: LockoutProfile, and other: LockoutProfile? = nil) {
    machine = Lockout(tally: tally)
    self.profile = profile
    self.other = other
  }

  public var tally: Tally { machine.tally }

  public func standing(at now: Moment) -> Standing {
    machine.standing(under: profile, and: other, at: now)
  }

  public mutating func charge(at now: Moment) -> Tally.Charge {
    machine.charge(under: profile, and: other, at: now)
  }

  public mutating func matched() { machine.matched() }

  public mutating func passcodeProven() { machine.passcodeProven() }

  public mutating func booted(at now: Moment) -> Bool { machine.booted(at: now) }
}
