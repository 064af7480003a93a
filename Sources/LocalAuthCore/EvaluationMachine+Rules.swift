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
  }
}
