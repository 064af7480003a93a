public import LocalAuthCore

/// The subject of a proof: a policy on a device with a lockout profile and passcode delays.
public struct Setup: Hashable, Sendable {
  /// The policy.
  public let policy: Policy
  /// The lockout profile that the policy adds to the device's; nil if none.
  public let policyLockout: LockoutProfile?
  /// The device's lockout profile.
  public let lockout: LockoutProfile
  /// The device's passcode delays.
  public let delays: PasscodeDelays
  /// What the device is explored with.
  public let surroundings: Surroundings

  /// Creates the setup of `policy` on such a device.
  public init(
    policy: Policy,
    policyLockout: LockoutProfile? = nil,
    lockout: LockoutProfile,
    delays: PasscodeDelays,
    surroundings: Surroundings = .own
  ) {
    self.policy = policy
    self.policyLockout = policyLockout
    self.lockout = lockout
    self.delays = delays
    self.surroundings = surroundings
    byThemselves =
      surroundings == .byItself ? policy.requirement.factors.intersection(Self.outside) : []
    fingerTables = [lockout.delays] + (policyLockout.map { [$0.delays] } ?? [])
    passcodeTables = [delays.delays]
    namedSets = policy.requirement.generations.sorted()
    evaluation = EvaluationMachine.Rules(
      policy: policy,
      profile: lockout,
      and: policyLockout,
      isInteractive: true
    )
  }

  /// The factors whose judges judge by themselves.
  let byThemselves: FactorSet

  /// The tables that count touches.
  let fingerTables: [DelayTable]
  /// The tables that count passcodes.
  let passcodeTables: [DelayTable]
  /// The sets of fingers that the requirement names, in order.
  let namedSets: [UInt64]

  /// Whether the policy or a profile wants a passcode to be set.
  var wantsPasscode: Bool {
    let profiles = [lockout, policyLockout].compactMap(\.self)
    return policy.needsPasscodeSet
      || policy.requirement.factors.contains(.biometry) && profiles.contains(where: \.needsPasscode)
  }

  /// The rules of every evaluation.
  let evaluation: EvaluationMachine.Rules

  /// The rules that attempts are counted by.
  var device: DeviceAttempts.Rules { DeviceAttempts.Rules(lockout: lockout, delays: delays) }
}

extension Setup {
  /// Returns what a program that makes `request` asks of the machine.
  func request(_ request: Request, as id: EvaluationID) -> DeviceRequest {
    let uid = ModelState.owner + UInt32(request.other)
    var asked = DeviceRequest(id, of: policy, and: policyLockout, under: evaluation, for: uid)
    if request.isOthers { asked.origin = .user(uid) }
    asked.allowsSimulated = true
    asked.isUnlock = request.isUnlock
    asked.asksAgent = request.asksAgent
    if request.takesUnlock { asked.reuse = policy.reuseLimit }
    guard let wish = request.wish, let rule = policy.grant, !request.isUnlock else { return asked }
    asked.remembering = DeviceRequest.Remembering(
      scope: wish.grantScope,
      maxAge: wish.maxAge,
      rule: rule.narrowed(maxAge: wish.maxAge, uses: wish.uses)
    )
    return asked
  }
}

extension Wish {
  /// The requests that a grant for this wish answers.
  var grantScope: Grant.Scope {
    let process = CallerScope.ProcessStamp(id: scope == 1 ? 1 : 0, start: 0)
    return Grant.Scope(
      caller: CallerScope(uid: scope == 5 ? 1001 : 1000, bounds: .process(process), program: nil),
      policy: scope == 4 ? [1] : [],
      action: scope == 2 ? [1] : nil,
      audience: scope == 3 ? "other" : nil
    )
  }

  /// What tells each scope from the first, in words; each is another one in one respect alone.
  static let scopes = [
    "", "as another caller", "for another action", "for another audience", "under another policy",
    "as another user",
  ]
  static let lastScope = UInt8(scopes.count - 1)
}

/// Who judges the passcode of an explored device.
public enum PasscodeKind: CaseIterable, Hashable, Sendable {
  /// The device itself.
  case own
  /// PAM, in a conversation that is charged before it asks.
  case pam
  /// The device has no passcode.
  case none
}

extension Setup {
  /// The tables of a count.
  func tables(of count: Counted) -> [DelayTable] {
    switch count {
    case .passcode, .othersPasscode: passcodeTables
    case .finger, .possession, .othersFinger: fingerTables
    }
  }

  /// The age in nanoseconds beyond which two ages make no difference.
  var horizon: Int64 {
    let limits = [
      policy.freshness.anyWithin, policy.freshness.passcodeWithin,
      policy.freshness.unlessMatchedWithin, policy.grant?.maxAge, policy.grant?.idle,
      DeviceMachine.unlockReuseMax,
    ]
    return limits.compactMap { $0?.wholeNanoseconds }.max().map { $0 + 1_000_000_000 } ?? 0
  }
}

extension Forgetting {
  /// Returns the age after which `failures` are forgotten, in nanoseconds.
  func span(of failures: UInt32) -> Int64 {
    switch self {
    case .all(let pause, _): pause.wholeNanoseconds
    case .one(let interval): interval.wholeNanoseconds * Int64(min(failures, 1000) + 1)
    }
  }

  /// Returns the time until the next failures are forgotten, if the last one was `passed`
  /// nanoseconds ago.
  func next(after passed: Int64) -> Duration {
    switch self {
    case .all(let pause, _): .nanoseconds(pause.wholeNanoseconds - passed)
    case .one(let interval):
      .nanoseconds(interval.wholeNanoseconds - passed % max(1, interval.wholeNanoseconds))
    }
  }
}
