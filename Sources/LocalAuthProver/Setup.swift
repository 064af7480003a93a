public import LocalAuthCore

/// What is proven about: a policy on a device with a lockout profile and a table of passcode delays.
public struct Setup: Sendable {
  /// The policy.
  public let policy: Policy
  /// The lockout profile that the policy names besides the device's, or nil.
  public let policyLockout: LockoutProfile?
  /// The device's lockout profile.
  public let lockout: LockoutProfile
  /// The device's passcode delays.
  public let delays: PasscodeDelays

  /// The setup of `policy` on such a device.
  public init(
    policy: Policy,
    policyLockout: LockoutProfile? = nil,
    lockout: LockoutProfile,
    delays: PasscodeDelays
  ) {
    self.policy = policy
    self.policyLockout = policyLockout
    self.lockout = lockout
    self.delays = delays
    evaluation = Self.rules(policy, lockout, policyLockout)
  }

  /// What every evaluation is decided by.
  let evaluation: Evaluation.Rules

  /// What attempts under the policy are counted by.
  var attempts: DeviceRecord.Rules {
    DeviceRecord.Rules(lockout: lockout, and: policyLockout, delays: delays)
  }

  /// What everything else is counted by.
  var device: DeviceRecord.Rules { DeviceRecord.Rules(lockout: lockout, delays: delays) }

  private static func rules(
    _ policy: Policy,
    _ lockout: LockoutProfile,
    _ other: LockoutProfile?
  ) -> Evaluation.Rules {
    var rules = Evaluation.Rules(policy: policy, profile: lockout, isInteractive: true)
    if let misses = other?.missesPerEvaluation {
      rules.missesMax = min(rules.missesMax ?? misses, misses)
    }
    return rules
  }
}

/// Who judges the passcode of an explored device.
public enum PasscodeKind: CaseIterable, Hashable, Sendable {
  /// The device itself.
  case own
  /// PAM, in a conversation that is charged before it asks.
  case pam
  /// There is none.
  case none
}
