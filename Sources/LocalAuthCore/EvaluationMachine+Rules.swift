extension EvaluationMachine {
  /// The rules of one evaluation, from its policy, its lockout profiles and its request.
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
    /// Whether a person can be asked.
    public var isInteractive: Bool
    /// Factors given with the request, which are judged by what they open, not here.
    public var given: FactorSet = []
    /// Factors the person is asked for, which are judged by what they open, not here.
    public var asked: FactorSet = []

    /// The rules of `policy`, which may name the profile `other`, on a device with `profile`.
    ///
    /// The lower miss limit of the two profiles applies; the device's profile says when the
    /// fallback is offered.
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

    /// Whether the policy refuses the device because no passcode is set, whatever is proven.
    func isGated(_ conditions: Conditions) -> Bool {
      guard needsPasscodeSet, case .notSet = conditions.passcode else { return false }
      return true
    }
  }
}

extension Outcome {
  /// Why a factor cannot be used: the device's condition comes before the exclusion, because a lock
  /// says more than the miss that caused it; a chosen fallback comes first.
  init(_ condition: Outcome?, or exclusion: Outcome?) {
    if let exclusion, exclusion.code == .userFallback {
      self = exclusion
    } else {
      self = condition ?? exclusion ?? Outcome(.authenticationFailed)
    }
  }
}
