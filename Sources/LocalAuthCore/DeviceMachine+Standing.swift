/// The standing of the device for a given origin: whether fingers and passcode can be used.
extension DeviceMachine {
  /// The evaluation that has the prompt; nil for one that keeps it only for what was broken off.
  public var promptHolder: EvaluationID? {
    guard let id = arbiter.armed, self[evaluation: id]?.phase != .leaving else { return nil }
    return id
  }

  /// The evaluation that has the prompt, then those that wait for it, in their order.
  public var promptOrder: [EvaluationID] { (promptHolder.map { [$0] } ?? []) + arbiter.waiting }

  /// How many evaluations wait for the prompt.
  public var waitingCount: Int { arbiter.waitingCount }

  /// The conditions for an evaluation of `policy` requested from `origin` at `now`.
  ///
  /// `policyLockout` is the lockout profile that the policy names in addition to the device's.
  public func conditions(
    for policy: Policy,
    and policyLockout: LockoutProfile? = nil,
    from origin: Origin = .owner,
    allowsSimulated: Bool = true,
    at now: Moment
  ) -> Conditions {
    let facts = facts(from: origin, at: now)
    let rules = touchRules(and: policyLockout)
    var conditions = facts.conditions(for: policy, under: rules, at: now)
    conditions.possession = possession(for: policy, under: rules, allowsSimulated, at: now)
    if !allowsSimulated, !record.isSimulated, isSimulated(.biometry, for: policy) {
      conditions.biometry = .notAvailable
    }
    limitReader(&conditions, for: policy, from: origin)
    if account != nil { conditions.passcode = passcodeCondition(from: origin, at: now) }
    return conditions
  }

  /// Misses left before the lock, under the stricter of both profiles; nil without a lock.
  public func attemptsLeft(
    and policyLockout: LockoutProfile? = nil,
    from origin: Origin = .owner,
    at now: Moment
  ) -> UInt32? {
    facts(from: origin, at: now).attemptsLeft(under: touchRules(and: policyLockout), at: now)
  }

  /// The wrong passcodes that are counted for `origin`.
  public func wrongPasscodes(from origin: Origin, at now: Moment) -> UInt32 {
    facts(from: origin, at: now).attempts.throttle.tally.failures
  }

  /// Wrong passcodes left before the lock, even while passcodes are refused; nil without a lock.
  public func passcodesLeft(from origin: Origin, at now: Moment) -> UInt32? {
    facts(from: origin, at: now)
      .passcodesLeft(under: passcodeRules.delays, at: account?.now ?? now)
  }

  /// Misses of possession left before the lock; nil without a lock.
  public func possessionsLeft(and policyLockout: LockoutProfile? = nil, at now: Moment) -> UInt32? {
    let rules = touchRules(and: policyLockout)
    return switch record.standing(of: .possession, under: rules, at: now) {
    case .open(let attemptsLeft): attemptsLeft
    case .refused, .locked: 0
    }
  }

  /// Whether a passcode from `origin` may be judged.
  public func passcodeCondition(from origin: Origin, at now: Moment) -> PasscodeCondition {
    facts(from: origin, at: now).passcode(under: passcodeRules.delays, at: account?.now ?? now)
  }

  /// The plugged-in authenticator that proves `factor` for `policy`; nil for those that the record
  /// describes.
  public func authenticator(
    of factor: Factor,
    for policy: Policy
  ) -> AuthenticatorDescription? {
    authenticators.first { authenticator in
      guard authenticator.kind.factor == factor else { return false }
      // Only now, because every event comes here and the requirement has to be walked.
      return factor != .possession
        || (policy.requirement.possession ?? .any).includes(authenticator)
    }
  }

  /// Whether proofs of `factor` for `policy` are simulated.
  func isSimulated(_ factor: Factor, for policy: Policy) -> Bool {
    authenticator(of: factor, for: policy)?.isSimulated ?? record.isSimulated
  }

  /// Whether the judge of `factor` captures or asks by itself, and is therefore started when the
  /// prompt is shown.
  func judgesByItself(_ factor: Factor, for policy: Policy) -> Bool {
    if factor == .passcode, case .pam = record.passcode { return true }
    return authenticator(of: factor, for: policy)?.judging == .byItself
  }

  /// A reader outside LocalAuth is asked only for who sits at this machine, and not before the
  /// passcode where it judges for the first time.
  private func limitReader(
    _ conditions: inout Conditions,
    for policy: Policy,
    from origin: Origin
  ) {
    guard judgesByItself(.biometry, for: policy) else { return }
    switch conditions.biometry {
    case .usable where origin != .owner: conditions.biometry = .hindered(.remote)
    // A lock may be that of the attempt under way, and must not hide that the passcode comes first.
    case .usable, .lockedOut:
      if origin == .owner, hasNewJudge { conditions.biometry = .passcodeRequired }
    case .notAvailable, .disconnected, .hindered, .notEnrolled, .passcodeRequired,
      .needsPasscodeSet:
      break
    }
  }

  /// Whether other programs judge than when the passcode was last proven.
  private var hasNewJudge: Bool { record.passcode != .none && record.programs != programs }

  private func possession(
    for policy: Policy,
    under rules: DeviceAttempts.Rules,
    _ allowsSimulated: Bool,
    at now: Moment
  ) -> PossessionCondition {
    guard let authenticator = authenticator(of: .possession, for: policy),
      allowsSimulated || !authenticator.isSimulated
    else { return .notAvailable }
    // Untrusted state may have lost a lock, so the passcode comes first, as for a finger.
    guard !isDistrusted else { return .lockedOut(retryAfter: nil) }
    guard !hasNewJudge else { return .passcodeRequired }
    return switch record.standing(of: .possession, under: rules, at: now) {
    case .open: .usable
    case .refused(let remaining): .lockedOut(retryAfter: remaining)
    case .locked: .lockedOut(retryAfter: nil)
    }
  }

  private func facts(from origin: Origin, at now: Moment) -> DeviceFacts {
    var facts = DeviceFacts(record, sensor: sensor, isDistrusted: isDistrusted)
    facts.attempts = record.attempts(from: origin, under: rules, at: now)
    if let account {
      let theirs = account.record.attempts(from: origin, under: account.rules, at: account.now)
      facts.attempts.throttle = theirs.throttle
    }
    return facts
  }

  // MARK: Rules

  /// The rules of the machine that counts the passcode.
  private var passcodeRules: DeviceAttempts.Rules { account?.rules ?? rules }

  /// The rules for touches: the stricter of the device's profile and the policy's applies.
  func touchRules(and policyLockout: LockoutProfile?) -> DeviceAttempts.Rules {
    guard let policyLockout else { return rules }
    return DeviceAttempts.Rules(lockout: rules.lockout, and: policyLockout, delays: rules.delays)
  }

  /// The rules that `guess` is counted by.
  func rules(for guess: Guess, and policyLockout: LockoutProfile? = nil) -> DeviceAttempts.Rules {
    switch guess {
    case .touch, .passcode, .possession: touchRules(and: policyLockout)
    case .keybag, .item: DeviceAttempts.Rules(lockout: rules.lockout, delays: lasting)
    }
  }
}
