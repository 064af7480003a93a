extension EvaluationMachine {
  /// What decides, besides the events: what policy, lockout profiles and request say of one evaluation.
  public struct Rules: Hashable, Sendable {
    /// What must be proven.
    public var requirement: Requirement
    /// How it is asked for.
    public var presentation: Policy.Presentation
    /// Whether the person may turn to the passcode.
    public var fallback: Policy.FallbackMode
    /// Whether a device without a passcode is refused outright.
    public var needsPasscodeSet: Bool
    /// Wrong passcodes that end this evaluation's use of the passcode.
    public var passcodeTries: UInt32
    /// Misses that end this evaluation's use of the finger, or nil.
    public var missesMax: UInt32?
    /// Misses before the fallback is offered.
    public var fallbackAfterMisses: UInt32
    /// Whether somebody can be asked.
    public var isInteractive: Bool
    /// Factors that came with the request and are judged by what they open, not here.
    public var given: FactorSet = []
    /// Factors that the person is asked for and that are judged by what they open, not here.
    public var asked: FactorSet = []

    /// The rules of `policy`, which may name the profile `other`, on a device with `profile`: of both the
    /// fewer misses end an evaluation, and the device's says when the fallback is offered.
    public init(
      policy: Policy,
      profile: LockoutProfile,
      and other: LockoutProfile? = nil,
      isInteractive: Bool
    ) {
      requirement = policy.requirement
      presentation = policy.presentation
      fallback = policy.fallback
      needsPasscodeSet = policy.needsPasscodeSet
      passcodeTries = policy.passcodeTries
      missesMax = [profile.missesPerEvaluation, other?.missesPerEvaluation].compactMap(\.self).min()
      fallbackAfterMisses = profile.fallbackAfterMisses
      self.isInteractive = isInteractive
    }

    /// Whether the policy refuses the device for want of a passcode, whatever is proven.
    func isGated(_ conditions: Conditions) -> Bool {
      guard needsPasscodeSet, case .notSet = conditions.passcode else { return false }
      return true
    }
  }
}

extension Outcome {
  /// Why a factor cannot be used: a lock says more than the miss that caused it, so the device's condition comes first.
  init(_ condition: Outcome?, or exclusion: Outcome?) {
    if let exclusion, exclusion.code == .userFallback {
      self = exclusion
    } else {
      self = condition ?? exclusion ?? Outcome(.authenticationFailed)
    }
  }
}
